/** Milliseconds before a second try: a connection that broke may be back. */
const PAUSE = 300;

/** Milliseconds that asking for everything anew may take. */
const LONGEST = 15_000;

/** Code that did not arrive, though it was asked for twice. */
export class CodeMissing extends Error {
  override readonly name = "CodeMissing";
}

/**
 * Loads code that may be gone, broken or out of reach. It is asked for twice; then, if the server
 * can be reached, `code-missing` is dispatched on `window`. Whoever cancels that event loads the page
 * anew: the promise stays open, and nothing is shown meanwhile.
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
    const reloads = (await refreshCode()) && !dispatchEvent(codeMissing());
    if (reloads) return new Promise(() => {});
    throw new CodeMissing("Expected a part of the application; it did not come.", { cause });
  }
}

function codeMissing(): Event {
  return new Event("code-missing", { cancelable: true });
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
