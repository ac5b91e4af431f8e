import { putAway } from "./hold-page.ts";

/** Milliseconds before a second try: a connection that broke may be back. */
const PAUSE = 300;

/** Milliseconds that asking for everything anew may take. */
const LONGEST = 15_000;

/**
 * Code that did not arrive, though it was asked for twice. The message is for people: what a new page
 * would lose; empty where that is nothing.
 */
export class CodeMissing extends Error {
  override readonly name = "CodeMissing";
}

/**
 * Loads code that may be gone, broken or out of reach. It is asked for twice; then, if the server
 * can be reached and nothing would be lost, `code-missing` is dispatched on `window`. Whoever cancels
 * that event loads the page anew: the promise stays open, and nothing is shown meanwhile.
 *
 * @throws {CodeMissing} Where nobody did.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  try {
    return await load();
  } catch (cause) {
    const lost = (await refreshCode()) ? await putAway() : null;
    const missing = new Event("code-missing", { cancelable: true });
    if (lost === "" && !dispatchEvent(missing)) return new Promise(() => {});
    throw new CodeMissing(lost ?? "", { cause });
  }
}

/**
 * Has the browser fetch the page and its scripts past its cache, which may keep a broken one for
 * ever. Says whether the server could be reached.
 */
export async function refreshCode(): Promise<boolean> {
  const init: RequestInit = { cache: "reload", signal: AbortSignal.timeout(LONGEST) };
  const scripts = performance
    .getEntriesByType("resource")
    .filter(({ name }) => name.endsWith(".js"));
  const refresh = async (url: string) => (await fetch(url, init)).blob();
  try {
    await refresh(location.href);
    await Promise.allSettled(scripts.map(({ name }) => refresh(name)));
    return true;
  } catch {
    return false;
  }
}
