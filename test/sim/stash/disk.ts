import { posix } from 'node:path';
import type { HookContext } from './hook-input';
import type { NewFile, Store } from './store';

type DiskChange =
  | { kind: 'new'; file: NewFile }
  | { kind: 'moved'; from: string; to: string }
  | { kind: 'folder'; from: string; to: string };

/** What happened to the library's files since the last scan. */
export class Disk {
  #changes: DiskChange[] = [];

  add(file: NewFile | string): void {
    this.#changes.push({ kind: 'new', file: typeof file === 'string' ? { path: file } : file });
  }

  move(from: string, to: string): void {
    this.#changes.push({ kind: 'moved', from, to });
  }

  moveFolder(from: string, to: string): void {
    this.#changes.push({ kind: 'folder', from, to });
  }

  /**
   * Takes the changes below `paths` into the store, one at a time, each with the hook that Stash runs for it: none of
   * them has an input. A folder that moved takes its files along, and no hook runs. A new file whose content a scene has already becomes that scene's second file.
   */
  *scan(store: Store, paths: string[] | null): Generator<HookContext> {
    const covered = (path: string) =>
      !paths || paths.some((root) => !posix.relative(root, path).startsWith('..'));
    const due = this.#changes.filter((change) =>
      covered(change.kind === 'new' ? change.file.path : change.to),
    );
    this.#changes = this.#changes.filter((change) => !due.includes(change));
    for (const change of due) {
      if (change.kind === 'new') yield* found(store, change.file);
      else if (change.kind === 'moved') yield* moved(store, change);
      else renameFolder(store, change);
    }
  }
}

function* found(store: Store, file: NewFile): Generator<HookContext> {
  for (const scene of store.scenes.all()) {
    const same = scene.fileIds.some(
      (id) => file.oshash !== undefined && store.files.get(id)?.oshash === file.oshash,
    );
    if (!same) continue;
    scene.fileIds = [...scene.fileIds, store.addFile(file).id];
    scene.updatedAt = store.stamp();
    yield { id: scene.id, type: 'Scene.Update.Post', input: null };
    return;
  }
  const scene = store.addScene({ files: [file], cover: null });
  yield { id: scene.id, type: 'Scene.Create.Post', input: null };
}

/** A file that moved leaves its scene's `updated_at` as it is. */
function* moved(store: Store, { from, to }: { from: string; to: string }): Generator<HookContext> {
  for (const scene of store.scenes.all()) {
    const file = scene.fileIds.map((id) => store.files.get(id)).find((one) => one?.path === from);
    if (!file) continue;
    file.path = to;
    file.updatedAt = store.stamp();
    yield { id: scene.id, type: 'Scene.Update.Post', input: null };
  }
}

/** Stash keeps the path of the folder once, and sees nothing new about the files in it. */
function renameFolder(store: Store, { from, to }: { from: string; to: string }): void {
  for (const file of store.files.all())
    if (file.path.startsWith(`${from}/`)) file.path = to + file.path.slice(from.length);
}
