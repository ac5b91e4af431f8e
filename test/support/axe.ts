import { expect } from "bun:test";
import { join } from "node:path";
import { Page } from "./chromium.ts";
import type { Tab } from "./tab.ts";

const source = await Bun.file(
  join(import.meta.dir, "../../node_modules/axe-core/axe.min.js"),
).text();

/** Resolves when everything that fades or slides in has come to rest. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
  .map((animation) => animation.finished.catch(() => undefined)))`;

/** What only costs time: nothing is in a frame or loaded for axe, and `html` tells which element. */
const OPTIONS = { resultTypes: ["violations"], selectors: false, preload: false, iframes: false };

/**
 * A modal dialog hides all else from everybody; a menu opens over a page that has its own test; the
 * rows of a long table are alike.
 */
const SCOPE = `{
  include: [document.querySelector("dialog:modal, [popover]:popover-open") ?? document],
  exclude: [["tbody tr:nth-child(n + 13)"]],
}`;

/**
 * Runs axe on the page, once it has come to rest, and expects that it finds nothing. In Firefox it waits
 * alone: axe judges the document and its colours, of which the same journey is judged in Chromium.
 *
 * @param rules Those that it leaves out by itself, such as `target-size`.
 */
export async function expectAccessible(page: Tab, ...rules: string[]) {
  await page.evaluate(`${SETTLED}.then(() => undefined)`);
  if (!(page instanceof Page)) return;
  const enabled = Object.fromEntries(rules.map((rule) => [rule, { enabled: true }]));
  const options = JSON.stringify({ ...OPTIONS, rules: enabled });
  const isLoaded = await page.evaluate<boolean>("typeof axe === 'object'");
  if (!isLoaded) await page.evaluate(`(() => { ${source} })()`);
  const violations = await page.evaluate<string[]>(
    `axe.run(${SCOPE}, ${options}).then((result) =>
      result.violations.flatMap((found) =>
        found.nodes.map((node) => found.id + ": " + node.html + " " + node.failureSummary)))`,
  );
  expect(violations).toEqual([]);
}
