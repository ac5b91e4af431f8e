import { holdPage } from "../hold-page.ts";
import { keepTab, readTab } from "../tab-store.ts";
import { keepFile, takeFile } from "./kept-file.ts";
import { isPasted, readPasted } from "./pasted-names.ts";
import { watchSession, whoIsHere } from "./session-store.ts";

/** Where this tab keeps the name of the file that is on its way. */
const NAME = "import-sending";

let pending: File | null = null;
let release = () => {};
let restoring: Promise<void> | undefined;

/**
 * Keeps a file, or pasted names, that are on their way into the register: from one screen to the
 * import wizard of another, or to the server. No new version is taken meanwhile, they are put away
 * for a reload that code is missing for, and they are dropped when whoever brought them leaves. The
 * last one wins.
 */
export function keepPendingImport(file: File): void {
  release();
  const person = whoIsHere() ?? "";
  const ends = [
    holdPage(() => putFileAway(file, person)),
    watchSession(() => whoIsHere() === person || dropPendingImport()),
  ];
  release = () => ends.forEach((end) => end());
  pending = file;
  keepTab(NAME, isPasted(file) ? null : file.name);
}

/** The file that is on its way; null where none is. */
export function readPendingImport(): File | null {
  return pending;
}

/** Forgets the file: it has arrived, or was given up. */
export function dropPendingImport(): void {
  release();
  release = () => {};
  pending = null;
  keepTab(NAME, null);
  void takeFile(undefined);
}

/** Brings back what was put away before the page was loaded anew. Call it when somebody is there. */
export function restorePendingImport(): Promise<void> {
  restoring ??= restore().finally(() => {
    restoring = undefined;
  });
  return restoring;
}

/** The name of a file that was on its way when its page went, where no file is. */
export function readLostImport(): string | null {
  return readTab(NAME);
}

async function restore(): Promise<void> {
  const file = await takeFile(whoIsHere());
  if (file && !pending) keepPendingImport(file);
}

async function putFileAway(file: File, person: string): Promise<string> {
  const kept = await keepFile(file, person);
  // It may have arrived, or been given up, meanwhile.
  if (pending !== file) void takeFile(undefined);
  if (kept || pending !== file) return "";
  if (!isPasted(file)) return mustBeGiven(`“${file.name}”`, "choose it");
  // The box on the next screen may have it.
  const text = await file.text().catch(() => null);
  if (readPasted().trim() === text?.trim()) return "";
  return mustBeGiven("what you pasted", "paste it");
}

function mustBeGiven(what: string, how: string): string {
  return `It takes a new page, and ${what} cannot be kept for it: ${how} again there.`;
}
