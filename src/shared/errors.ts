/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's code (ENOENT, ENOSPC, ...) of whatever was thrown, or ''. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** For defects of our own: where it happened. The stack begins with the message. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** The system refused; Node's own errors (ERR_...) are defects. */
export const isFileError = (error: unknown): boolean => /^E(?!RR_)[A-Z0-9]+$/.test(codeOf(error));

const plainWords: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'it is on a read-only file system',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EIO: 'the disk reports an error',
};

/** What a file-system error means for a person. */
export function describeFileError(error: unknown): string {
  return plainWords[codeOf(error)] || messageOf(error);
}
