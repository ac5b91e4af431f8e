import { createHash } from "node:crypto";
import { link, open, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codeOf, OperatorError } from "../../shared/log.ts";
import * as p from "../../shared/parse.ts";

const FORMAT = 1;

const parseCount = p.integer(0, Number.MAX_SAFE_INTEGER);
const parseFormat = p.object({ format: p.integer(1, Number.MAX_SAFE_INTEGER) });

/** What a backup holds: the last entry but one, as the hashes are known at the end. */
type Manifest = p.Parsed<typeof parseManifest>;

const parseManifest = p.object({
  format: parseCount,
  schema: p.integer(1, Number.MAX_SAFE_INTEGER),
  createdAt: p.text,
  tables: p.record(parseCount),
  entries: p.record(p.object({ bytes: parseCount, sha256: p.text })),
});

const MANIFEST = "manifest.json";
const MANIFEST_HASH = "manifest.json.sha256";

const BLOCK_BYTES = 512;
const READ_BYTES = 1024 * 1024;

export type ArchiveWriter = Awaited<ReturnType<typeof createArchive>>;

/**
 * Starts a tar archive (POSIX ustar, IEEE 1003.1 pax) under a temporary name; only its owner can read
 * it. Once `signal` is aborted, adding to it fails. @throws {OperatorError} When it cannot be created.
 */
export async function createArchive(path: string, signal?: AbortSignal) {
  if (await Bun.file(path).exists()) throw new OperatorError(`${path} already exists`);
  const partial = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.partial`);
  const file = await open(partial, "wx", 0o600).catch(fail(path, "created"));
  // Goes on where the last one ended, and writes all bytes.
  const write = (bytes: Uint8Array) => file.writeFile(bytes).catch(fail(path, "written"));
  const entries: Manifest["entries"] = {};

  /** @throws {OperatorError} When `content` is not exactly `bytes` long. */
  async function add(
    name: string,
    bytes: number,
    content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ) {
    const hash = createHash("sha256");
    await write(header(name, bytes));
    let written = 0;
    for await (const chunk of content) {
      signal?.throwIfAborted();
      hash.update(chunk);
      written += chunk.byteLength;
      await write(chunk);
    }
    if (written !== bytes) throw new OperatorError(`${name} changed while it was read`);
    await write(new Uint8Array(paddingAfter(bytes)));
    entries[name] = { bytes, sha256: hash.digest("hex") };
  }

  return {
    add,
    /** Writes the manifest, syncs the file and gives it its name, unless that is taken by now. */
    async finish(about: Pick<Manifest, "schema" | "tables">) {
      const createdAt = new Date().toISOString();
      const manifest: Manifest = { format: FORMAT, ...about, createdAt, entries: { ...entries } };
      const json = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
      await add(MANIFEST, json.byteLength, [json]);
      const hash = Buffer.from(`${Bun.SHA256.hash(json, "hex")}\n`);
      await add(MANIFEST_HASH, hash.byteLength, [hash]);
      await write(new Uint8Array(2 * BLOCK_BYTES));
      await file.sync().catch(fail(path, "written"));
      await file.close();
      // Unlike a rename, a link never replaces a file.
      await link(partial, path).catch(fail(path, "created"));
      await rm(partial);
      await syncFolder(dirname(path));
    },
    /** Removes what was written. May be called after `finish`. */
    async discard() {
      await file.close().catch(() => undefined);
      await rm(partial, { force: true });
    },
  };
}

/** An entry while the archive is read. Its content has to be read before the next entry. */
export interface ArchiveEntry {
  path: string;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
}

/** Reads an archive from its start. @throws {OperatorError} When it is cut, or no such archive. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry, void, undefined> {
  const file = await open(path, "r").catch(fail(path, "read"));
  try {
    const about = await file.stat();
    if (!about.isFile()) throw new OperatorError(`${path} cannot be read: it is not a file`);
    const { size } = about;
    let position = 0;
    const read = async (bytes: number): Promise<Buffer> => {
      const buffer = Buffer.alloc(bytes);
      for (let offset = 0; offset < bytes;) {
        const { bytesRead } = await file.read(buffer, { offset, position });
        if (bytesRead === 0) throw damagedError(path);
        offset += bytesRead;
        position += bytesRead;
      }
      return buffer;
    };
    async function* content(bytes: number) {
      for (let left = bytes; left > 0;) {
        const chunk = await read(Math.min(left, READ_BYTES));
        left -= chunk.byteLength;
        yield chunk;
      }
      if ((await read(paddingAfter(bytes))).some((byte) => byte !== 0)) throw damagedError(path);
    }
    for (;;) {
      const block = await read(BLOCK_BYTES);
      if (block.every((byte) => byte === 0)) break;
      const name = block.toString("utf8", 0, 100).replace(/\0.*$/s, "");
      const bytes = parseInt(block.toString("latin1", 124, 136), 8);
      // Anything but what this program writes was changed.
      if (!Number.isSafeInteger(bytes) || !header(name, bytes).equals(block))
        throw damagedError(path);
      const end = position + bytes + paddingAfter(bytes);
      yield { path: name, bytes, content: content(bytes) };
      if (position !== end) throw new TypeError(`The content of ${name} was not read`);
    }
    const isEnd = (await read(BLOCK_BYTES)).every((byte) => byte === 0);
    if (!isEnd || position !== size) throw damagedError(path);
  } finally {
    await file.close();
  }
}

/** Checks every byte of an archive against its manifest. @throws {OperatorError} */
export async function verifyArchive(path: string): Promise<Manifest> {
  const found: Manifest["entries"] = {};
  const texts = new Map<string, string>();
  for await (const { path: name, bytes, content } of readArchive(path)) {
    const hash = createHash("sha256");
    const isAbout = name === MANIFEST || name === MANIFEST_HASH;
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) {
      hash.update(chunk);
      if (isAbout) chunks.push(chunk);
    }
    if (texts.has(name) || Object.hasOwn(found, name)) throw damagedError(path);
    if (isAbout) texts.set(name, Buffer.concat(chunks).toString());
    else found[name] = { bytes, sha256: hash.digest("hex") };
  }
  const json = texts.get(MANIFEST) ?? "";
  const isIntact = json !== "" && texts.get(MANIFEST_HASH) === `${Bun.SHA256.hash(json, "hex")}\n`;
  if (!isIntact) throw damagedError(path);
  const manifest = readManifest(path, json);
  if (!Bun.deepEquals(found, manifest.entries)) throw damagedError(path);
  return manifest;
}

function readManifest(path: string, json: string): Manifest {
  try {
    const value: unknown = JSON.parse(json);
    const { format } = parseFormat(value);
    if (format === FORMAT) return parseManifest(value);
    throw new OperatorError(
      `${path} was written by a newer version (format ${format}, this one knows ${FORMAT})`,
    );
  } catch (error) {
    if (error instanceof p.ParseError || error instanceof SyntaxError) {
      throw new OperatorError(`${path} has no valid manifest: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

function header(path: string, bytes: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES);
  block.write(path, 0, 100, "utf8");
  block.write("0000600\0" + "0000000\0".repeat(2), 100, "latin1");
  block.write(`${bytes.toString(8).padStart(11, "0")}\0${"0".repeat(11)}\0`, 124, "latin1");
  block.write(" ".repeat(8) + "0", 148, "latin1");
  block.write("ustar\u000000", 257, "latin1");
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return block;
}

const fail =
  (path: string, how: string) =>
  (cause: unknown): never => {
    throw new OperatorError(`${path} cannot be ${how} (${codeOf(cause) || "unknown"})`, { cause });
  };

function damagedError(path: string): OperatorError {
  return new OperatorError(`${path} is not a complete backup: it was cut off or changed`);
}

function paddingAfter(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

/** Syncs a folder, so that a power cut does not lose the new name of a file. Windows syncs files alone. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
