import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, type Page, withPage } from "../support/chromium.ts";
import { type OpenRegister, openRegister } from "../support/owner.ts";
import { PROJECT } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { arrives, DROP, looksRight, ROWS } from "../support/wizard.ts";

/** Presses a button with the keyboard alone: the tabulator until it has the focus, then Enter. */
async function pressByKey(page: Page, name: string) {
  // Until the page is there, Tab goes nowhere.
  await page.until(
    `[...document.querySelectorAll("main button")].some((e) => e.innerText === ${JSON.stringify(name)})`,
  );
  const focused = `document.activeElement?.innerText?.trim() === ${JSON.stringify(name)}`;
  for (let stop = 0; stop < 40 && !(await page.evaluate<boolean>(focused)); stop += 1) {
    await page.view.press("Tab");
  }
  expect(await page.evaluate<string>("document.activeElement.innerText")).toBe(name);
  await page.view.press("Enter");
}

describeInChromium("the import wizard", () => {
  const folder = createTemporaryFolder();
  let register: OpenRegister;

  beforeAll(async () => {
    register = await openRegister(0);
  });
  afterAll(async () => {
    await register[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  async function write(name: string, content: string) {
    const path = join(folder.path, name);
    await Bun.write(path, content);
    return path;
  }

  test("says what is wrong with a file, asks what a date means, and survives reloads", async () => {
    const { page, address } = register;
    const open =
      "Site,Paid until,Registrar\none.example,05/01/2027,Hoster\ntwo.example,03/02/2027,Hoster\n";
    await page.goto(`${address}/domains/import`);
    await page.choose(DROP, join(PROJECT, "public/icon-192.png"));
    await page.shows("This isn’t a text file");
    await expectAccessible(page);
    await page.press("Choose another file");
    await page.choose(DROP, await write("open.csv", open));
    await arrives(page, "Check the columns");
    await page.shows("How are the dates in “Paid until” written?");
    await page.shows("January 5, 2027");
    await page.shows("May 1, 2027");
    await looksRight(page);
    await page.reload();
    await page.shows("Answer the question above");
    await page.press("Preview");
    await page.view.press("ArrowDown");
    await page.until("document.querySelectorAll('input:checked').length === 1");
    await page.shows("2 new");
    await pressByKey(page, "Preview");
    await arrives(page, "Review changes");
    await page.shows("May 1, 2027");

    await page.reload();
    await page.shows("May 1, 2027");
    await page.evaluate("history.back()");
    await arrives(page, "Check the columns");
    expect(
      await page.evaluate("document.querySelector('input:checked').labels[0].innerText"),
    ).toContain("Month first");
    await page.evaluate("history.forward()");
    await arrives(page, "Review changes");

    await pressByKey(page, "Import 2 domains");
    await arrives(page, "Import complete");
    await page.reload();
    await page.shows("2 domains added.");

    // What led to the result has nothing to show any more: back and forward pass it over.
    await page.evaluate("history.back()");
    await arrives(page, "Choose files");
    await page.evaluate("history.forward()");
    await arrives(page, "Import complete");

    // Many rows are shown a window at a time, to the last.
    await page.press("Import another file");
    await arrives(page, "Choose files");
    const many = Array.from({ length: 900 }, (_, at) => `name-${at}.example`).join("\n");
    await page.choose(DROP, await write("many.txt", many));
    await arrives(page, "Check the columns");
    await page.press("Preview");
    const row = (at: number) => `document.querySelector("[aria-rowindex='${at + 2}'] > th")`;
    for (let at = 99; at < 900; at += 100) {
      await page.until(row(at));
      await page.evaluate(`${row(at)}.scrollIntoView()`);
    }
    expect(await page.evaluate<string>(`${row(899)}.innerText`)).toBe("name-899.example");
    expect(await page.evaluate<number>(`${ROWS}.length`)).toBeLessThan(700);
    await page.evaluate("scrollTo(0, 0)");
    await page.until(row(0));
    expect(await page.evaluate<number>(`${ROWS}.length`)).toBeLessThan(700);
  });

  test("takes several files, asks for the registrar, and leaves rows out", async () => {
    const file = await write(
      "ionos-2026-11.csv",
      "Domain,Ends,Colour\nhttps://www.a.example/shop,2027-01-05,red\nb.example,soon,blue\nc.example,2027-03-05,\nb.example,,\n",
    );
    await withPage(
      async (page) => {
        await page.goto(`${register.address}/domains/import`);
        await page.choose(DROP, file, join(PROJECT, "test/data/workbooks/portfolio.xlsx"));
        await arrives(page, "Check the columns");
        await page.shows("Which registrar is this file from?");
        await looksRight(page);
        await page.fill("Registrar", "IONOS");
        await page.press("Keep as custom fields");
        await page.press("Preview");
        await arrives(page, "Review changes");
        await page.shows("1 row has a value that can’t be read.");
        await page.press("Show it");
        // The row is among the new ones as well, and what is above them goes away.
        await page.until(`${ROWS}.length === 1 && ${ROWS}.join().includes("soon")`);
        await page.press("New 3");
        await page.until(`${ROWS}.length === 3`);
        expect(await page.evaluate<string>(`${ROWS}.join()`)).toContain("Read as a.example");
        await page.evaluate("document.querySelector('[aria-label=\"Import c.example\"]').click()");
        await page.shows("Left out");
        await looksRight(page);
        await page.press("Import 2 domains");
        await arrives(page, "Import complete");
        await page.press("Next file: portfolio.xlsx");
        await arrives(page, "Check the columns");
        await page.shows("3 new");
      },
      { media: { "prefers-color-scheme": "dark" } },
    );
  });
});
