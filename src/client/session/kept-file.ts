import { keepTab, readTab } from "../tab-store.ts";
import { FILES } from "./files-key.ts";
import { parseRecord } from "../../shared/parse-json.ts";

/** Milliseconds that the browser may take: some databases never answer. */
const PATIENCE = 10_000;
/** Milliseconds for which a file waits for a page that may never come. */
const GOOD_FOR = 600_000;

/**
 * Puts one file away for the reload of this tab, where no other tab and nobody else finds it. The
 * last one wins.
 *
 * @returns Whether that worked: the browser may forbid it, have no room, or no longer find the file.
 */
export async function keepFile(file: File, person: string): Promise<boolean> {
  const id = readTab(FILES) ?? `${Date.now()} ${Math.random()}`;
  try {
    const { name, type } = file;
    // Its bytes: a file on the disk may change, and not every browser keeps one.
    const bytes = await file.arrayBuffer();
    localStorage.setItem(FILES, String(Date.now() + GOOD_FOR));
    await transact((files) => files.put({ person, name, type, bytes }, id));
    return keepTab(FILES, id);
  } catch {
    return false;
  }
}

/** Takes the file of this tab out, once; null where there is none of this person's. */
export async function takeFile(person: string | undefined): Promise<File | null> {
  const id = readTab(FILES);
  if (id === null) return null;
  keepTab(FILES, null);
  try {
    const read = await transact((files) => {
      const found = files.get(id);
      files.delete(id);
      const left = files.count();
      return { found, left };
    });
    if (read.left.result === 0) localStorage.removeItem(FILES);
    return parseFile(read.found.result, person);
  } catch {
    return null;
  }
}

function parseFile(found: unknown, wanted: string | undefined): File | null {
  const { person, name, type, bytes } = parseRecord(found);
  if (person !== wanted || !(bytes instanceof ArrayBuffer)) return null;
  return new File([bytes], String(name), { type: String(type) });
}

/** Runs a transaction; resolves, once it is written, with what `use` has asked for. */
async function transact<T>(use: (files: IDBObjectStore) => T): Promise<T> {
  const database = await inTime(openDatabase());
  try {
    const work = database.transaction(FILES, "readwrite");
    const asked = use(work.objectStore(FILES));
    await inTime(
      new Promise((resolve, reject) => {
        work.addEventListener("complete", resolve);
        work.addEventListener("abort", () => reject(work.error));
      }),
    );
    return asked;
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(FILES, 1);
    opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(FILES));
    opening.addEventListener("success", () => resolve(opening.result));
    opening.addEventListener("error", () => reject(opening.error));
  });
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("Expected the database to answer.")), PATIENCE);
  });
  return Promise.race([answer, late]);
}
