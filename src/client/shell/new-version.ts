import { isHeld } from "../hold-page.ts";

/** Milliseconds for which an answer is good enough. */
const GOOD_FOR = 3000;
/** What a person does who has begun to use the screen. */
const SIGNS = ["keydown", "pointerdown"] as const;

let answer: Promise<boolean> | undefined;

/**
 * Asks the server whether this page's version is gone: the page names it on its script. Where no
 * answer comes, and in development, where a page follows every edit, it is not.
 */
export function isOutdated(): Promise<boolean> {
  if (process.env.NODE_ENV !== "production") return Promise.resolve(false);
  if (!answer) {
    answer = ask();
    setTimeout(() => (answer = undefined), GOOD_FOR);
  }
  return answer;
}

async function ask(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>("script[type=module]");
  try {
    const { version = "" } = script?.dataset ?? {};
    return (await fetch(version, { method: "HEAD", cache: "no-store" })).status === 404;
  } catch {
    return false;
  }
}

/**
 * Loads the page anew if the server has a newer version, unless the person has begun to use the
 * screen before that is known, or something would be lost with the page: then the next navigation
 * does. Call it when the address has changed.
 */
export async function takeNewVersion(): Promise<void> {
  let touched = false;
  const touch = () => (touched = true);
  for (const sign of SIGNS) addEventListener(sign, touch, { capture: true });
  const outdated = await isOutdated();
  for (const sign of SIGNS) removeEventListener(sign, touch, { capture: true });
  if (outdated && !touched && !isHeld()) location.reload();
}
