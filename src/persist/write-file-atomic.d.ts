// The published types lack `chown: false`, which keeps the file's owner alone.
declare module 'write-file-atomic' {
  export default function writeFileAtomic(
    path: string,
    data: string,
    options: { mode: number; chown: false },
  ): Promise<void>;
}
