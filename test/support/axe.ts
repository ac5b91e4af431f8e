import { expect } from "bun:test";
import { join } from "node:path";
import type { Page } from "./chromium.ts";

const source = await Bun.file(
  join(import.meta.dir, "../../node_modules/axe-core/axe.min.js"),
).text();

/** Resolves when everything that fades or slides in has come to rest. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
  .map((animation) => animation.finished.catch(() => undefined)))`;

/** Runs axe on the page, once it has come to rest, and expects that it finds nothing. */
export async function expectAccessible(page: Page) {
  const isLoaded = await page.evaluate<boolean>("typeof axe === 'object'");
  if (!isLoaded) await page.evaluate(`(() => { ${source} })()`);
  await page.evaluate(`${SETTLED}.then(() => undefined)`);
  const violations = await page.evaluate<string[]>(
    `axe.run({ resultTypes: ["violations"] }).then((result) =>
      result.violations.flatMap((found) =>
        found.nodes.map((node) => found.id + ": " + node.target + " " + node.failureSummary)))`,
  );
  expect(violations).toEqual([]);
}
