import { createHash } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DatabaseError } from "../database/database-error.ts";
import { databaseFile } from "../database/sqlite.ts";

/** A file that is being written; it gets its name once it is complete. */
export type IncomingFile = ReturnType<typeof incoming>;

export type UploadFiles = ReturnType<typeof createUploadFiles>;

const PARTIAL = ".partial";

/** The names of uploads; other files in the folder are left alone. */
const UPLOAD_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.partial)?$/;
const ABANDONED_MS = 60 * 60_000;

/**
 * Stores uploads in a folder of their own, named by id and never by what a client says. The folder is
 * created, readable by its owner only, where it is missing, also when it was removed meanwhile.
 *
 * @throws {DatabaseError} When the folder cannot be made.
 */
export function createUploadFiles(folder: string) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DatabaseError(`The folder for uploads ${folder} cannot be created`, { cause: error });
  }
  const pathOf = (id: string) => join(folder, id);

  return {
    async create(id: string) {
      // Somebody may have removed it to free the disk.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const partial = pathOf(id + PARTIAL);
      const file = await open(partial, "wx", 0o600);
      return incoming(file, { partial, whole: pathOf(id), folder });
    },
    /** Whether the complete file exists. */
    has: (id: string) => Bun.file(pathOf(id)).exists(),
    /** Reads a file from its start; may be called again. */
    open: (id: string) => Bun.file(pathOf(id)).stream(),
    remove: (id: string) => rm(pathOf(id), { force: true }),
    /** Removes files older than an hour that `isKnown` denies: a crash has left them behind. */
    async sweep(isKnown: (id: string) => Promise<boolean>) {
      const names = existsSync(folder) ? await readdir(folder) : [];
      for (const name of names.filter((each) => UPLOAD_NAME.test(each))) {
        const found = await stat(pathOf(name)).catch(() => null);
        if (found === null || Date.now() - found.mtimeMs < ABANDONED_MS) continue;
        if (!name.endsWith(PARTIAL) && (await isKnown(name))) continue;
        // Another instance may have removed it first.
        await rm(pathOf(name), { force: true });
      }
    },
  };
}

/** Where uploads are unless another folder is given: beside an SQLite file, else in `data`. */
export function uploadFolderFor(databaseUrl: string): string {
  if (!/^sqlite:/i.test(databaseUrl)) return resolve("data", "uploads");
  return join(dirname(databaseFile(databaseUrl)), "uploads");
}

function incoming(file: FileHandle, paths: { partial: string; whole: string; folder: string }) {
  const hash = createHash("sha256");
  let size = 0;
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= file.close());

  return {
    async write(bytes: Uint8Array) {
      hash.update(bytes);
      size += bytes.byteLength;
      await writeAll(file, bytes);
    },
    /** Syncs the file to disk and gives it its name. */
    async keep() {
      await file.sync();
      await close();
      await rename(paths.partial, paths.whole);
      await syncFolder(paths.folder);
      return { bytes: size, sha256: hash.digest("hex") };
    },
    /** Removes the file; may be called at any time, also twice. */
    async discard() {
      await close().catch(() => undefined);
      await rm(paths.partial, { force: true });
      await rm(paths.whole, { force: true });
    },
  };
}

/** Writes all bytes, where one call may write only some. */
export async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    done += (await file.write(bytes, done)).bytesWritten;
  }
}

/** Syncs a folder: without it a power cut can lose the new name of a file. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
