import { expect } from "bun:test";
import { join } from "node:path";
import { expectAccessible } from "./axe.ts";
import { PROJECT } from "./server-process.ts";
import type { Tab } from "./tab.ts";

export const EXPORTS = join(PROJECT, "test/data/registrar-exports");
export const DROP = "Drop files here, or choose them";
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
/** What hangs out of its row at the bottom. */
const HANGING = `[...document.querySelectorAll("tbody tr > * > *")]
  .filter((each) => each.checkVisibility() &&
    each.getBoundingClientRect().bottom > each.closest("tr").getBoundingClientRect().bottom + 1)
  .map((each) => each.outerHTML)`;
export const ROWS = `[...document.querySelectorAll("tbody tr")].map((e) => e.innerText.replace(/\\s+/g, " ").trim())`;

/** Waits for a step, and expects that it was announced: its heading has the focus. */
export async function arrives(page: Tab, heading: string) {
  const focused = "document.activeElement?.localName === 'h2'";
  await page.until(`${focused} && document.activeElement.innerText === ${JSON.stringify(heading)}`);
}

/** Expects that what is shown is accessible, and fits on every width. */
export async function looksRight(page: Tab) {
  await page.until("!document.querySelector('.skeleton')");
  await expectAccessible(page);
  for (const width of [320, 768, 1280]) {
    await page.view.resize(width, 800);
    expect(await page.evaluate<number>(OVERFLOW)).toBeLessThanOrEqual(0);
    expect(await page.evaluate<string[]>(HANGING)).toEqual([]);
  }
}
