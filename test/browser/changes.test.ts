import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { Database as Sqlite } from "bun:sqlite";
import { SQL } from "bun";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium } from "../support/chromium.ts";
import { patchDomain } from "../support/domains.ts";
import { enter } from "../support/enter.ts";
import { type OpenRegister, openRegister } from "../support/owner.ts";
import { addPeople, signInAs } from "../support/people.ts";

const LINES = "[...document.querySelectorAll('.change')].map((each) => each.textContent)";
const PAST = 1000;

/** Writes what a registry changed long ago, a change every hour. */
function addPast(file: string): void {
  using database = new Sqlite(file);
  database.run("pragma busy_timeout = 5000");
  const add =
    database.prepare(`insert into changes (id, domain_id, at, made_by_name, action, fields)
    values (?, 'gone', ?, 'rdap:rdap.example', 'edited', ?)`);
  database.transaction(() => {
    for (let hour = 0; hour < PAST; hour += 1) {
      const at = new Date(Date.UTC(2026, 0, 1) + hour * 3_600_000);
      const fields = [{ field: "notes", before: "", after: `hour ${hour}` }];
      add.run(Bun.randomUUIDv7("hex", at), at.toISOString(), JSON.stringify(fields));
    }
  })();
}

describeInChromium("what was done", () => {
  let register: OpenRegister;

  beforeAll(async () => {
    register = await openRegister(60, {}, addPast);
  });
  afterEach(() => expect(register.page.complaints).toEqual([]));
  afterAll(() => register[Symbol.asyncDispose]());

  test("is undone with a key, and stands among hundreds of changes", async () => {
    const { page, address } = register;
    const isMarked = (words: string) =>
      page.until(`${LINES}.some((each) => each.includes(${JSON.stringify(words)}))`);

    // The key, after a decision on home.
    await page.goto(`${address}/home`);
    await page.until("document.querySelector('.job')");
    await page.evaluate("document.querySelector('.job a').focus()");
    await page.view.press("d");
    await page.shows("Press z to undo.");
    await isMarked("marked Drop");
    await page.view.press("z");
    await page.shows("Change undone for 1 domain.");
    await isMarked("Undone: ");

    // Hundreds scroll, with few of them in the document; a text finds one of them.
    await enter(page, address, "/changes");
    await page.until("document.querySelector('.change')");
    await expectAccessible(page);
    await page.evaluate("document.querySelector('.change a').focus()");
    for (let pages = 0; pages < 10; pages += 1) {
      const height = await page.evaluate<number>("document.documentElement.scrollHeight");
      // It may have grown since.
      await page.until(`(scrollTo(0, document.documentElement.scrollHeight),
        document.documentElement.scrollHeight !== ${height})`);
    }
    expect(await page.evaluate<number>("document.querySelectorAll('.change').length")).toBeLessThan(
      400,
    );
    // The page with the focus stays until that has gone.
    await isMarked("Undone: ");
    await page.evaluate("document.activeElement.blur()");
    await page.until(`!${LINES}.some((each) => each.includes("Undone: "))`);
    await enter(page, address, "/changes?q=hour+7");
    await page.until(`${LINES}.length >= 50`);
    await enter(page, address, "/changes?kind=decided&until=2025-01-01");
    await page.shows("No changes match these filters.");
  });

  test("by others is marked at its row, where it stands, until the person asks for it", async () => {
    const { page, address, url, databaseUrl } = register;
    await using sql = new SQL(databaseUrl);
    await addPeople(sql, [{ email: "ed@example.com", name: "Ed" }]);
    const ed = await signInAs(url, "ed@example.com");

    const isAsked = "performance.getEntriesByName(`${origin}/api/news`).length > 0";
    for (const [path, rows] of [
      ["/home", ".job"],
      ["/domains", "tbody tr"],
    ]) {
      await page.goto(address + path);
      await page.until(`document.querySelector('${rows} a') && ${isAsked}`);
      // What is in the rows, and where: the last in sight is the one that changes.
      const seen = `[...document.querySelectorAll('${rows}')].map((row) =>
        [...row.children].map((cell) => [cell.getBoundingClientRect().x, row.getBoundingClientRect().y]))`;
      const before = await page.evaluate<number[][][]>(seen);
      const name = await page.evaluate<string>(
        `document.querySelector('${rows}:last-child a').href.split(/[/?]/).at(-1)`,
      );
      const { id } = (await ed.json(`/api/domains/${name}`)) as { id: string };
      expect((await patchDomain(ed, id, { notes: path }, "*")).status).toBe(200);
      // The page asks every 15 seconds, and when it is seen again.
      await page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");
      await page.until("document.querySelector('[title=\"Changed by Ed\"]')");
      await page.shows("1 domain changed by others.");
      expect(await page.evaluate<number[][][]>(seen)).toEqual(before);
      await expectAccessible(page);
      await page.press("Show");
      await page.until("!document.querySelector('.changed')");
    }
  });
});
