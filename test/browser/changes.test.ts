import { expect, test } from "bun:test";
import { Database as Sqlite } from "bun:sqlite";
import { SQL } from "bun";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium } from "../support/chromium.ts";
import { enter } from "../support/enter.ts";
import { openRegister } from "../support/owner.ts";
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
  test("is undone with a key, from home and among all changes", async () => {
    await using register = await openRegister(60, {}, addPast);
    const { address, client, page } = register;
    const isMarked = (words: string) =>
      page.until(`${LINES}.some((each) => each.includes(${JSON.stringify(words)}))`);

    // In one step: a screen that leaves may show the same until the next one has it.
    const follow = (selector: string) =>
      page.until(`((found) => (found?.click(), found !== null))(
        document.querySelector(${JSON.stringify(selector)}))`);

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

    // A bulk change, from all changes: what stays is said first.
    const { items } = (await client.json("/api/domains?limit=5")) as { items: { id: string }[] };
    const ids = items.map(({ id }) => id);
    const json = { select: { ids }, op: { kind: "edit", owner: "Acme" } };
    await client.request("/api/domains/bulk", { method: "POST", json });
    const headers = { "If-Match": "*" };
    await client.request(`/api/domains/${ids[0]}`, {
      method: "PATCH",
      json: { owner: "Bob" },
      headers,
    });
    await page.reload();
    await page.until("document.querySelector('.change')");
    // Not by a pointer: lines move while others come.
    await follow("a[href='/changes']");
    await isMarked("Owner “Acme” for 5 domains");
    await expectAccessible(page);
    await follow("[aria-label='Undo: Owner “Acme” for 5 domains']");
    await page.shows("Undo for 4 domains?");
    await follow("dialog[open] button[type=submit]");
    await isMarked("Undone: Owner “Acme” for 4 domains");

    // It leads to its domains, and no others.
    await follow("[title='Undone: Owner “Acme” for 4 domains'] > .what");
    await page.shows("4 found");
    await page.shows("Change: Undone: Owner “Acme” for 4 domains");

    // Hundreds scroll, with few of them in the document; a text finds one of them.
    await enter(page, address, "/changes");
    await page.until("document.querySelector('.change')");
    for (let pages = 0; pages < 10; pages += 1) {
      const height = await page.evaluate<number>("document.documentElement.scrollHeight");
      // It may have grown since.
      await page.until(`(scrollTo(0, document.documentElement.scrollHeight),
        document.documentElement.scrollHeight !== ${height})`);
    }
    expect(await page.evaluate<number>("document.querySelectorAll('.change').length")).toBeLessThan(
      400,
    );
    await enter(page, address, "/changes?q=hour+7");
    await page.until(`${LINES}.length >= 50`);
    await enter(page, address, "/changes?kind=decided&until=2025-01-01");
    await page.shows("No changes match these filters.");
    expect(page.complaints).toEqual([]);
  });

  test("by others is marked at its row, where it stands, until the person asks for it", async () => {
    let file = "";
    await using register = await openRegister(60, {}, (seeded) => (file = seeded));
    const { address, page } = register;
    await using sql = new SQL(`sqlite://${file}`);
    await addPeople(sql, [{ email: "ed@example.com", name: "Ed" }]);
    const ed = await signInAs(`http://localhost:${new URL(address).port}`, "ed@example.com");
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
      const change = { method: "PATCH", json: { notes: path }, headers: { "If-Match": "*" } };
      expect((await ed.request(`/api/domains/${id}`, change)).status).toBe(200);
      // The page asks every 15 seconds, and when it is seen again.
      await page.evaluate("void document.dispatchEvent(new Event('visibilitychange'))");
      await page.until("document.querySelector('[title=\"Changed by Ed\"]')");
      await page.shows("1 domain changed by others.");
      expect(await page.evaluate<number[][][]>(seen)).toEqual(before);
      await expectAccessible(page);
      await page.press("Show");
      await page.until("!document.querySelector('.changed')");
    }
    expect(page.complaints).toEqual([]);
  });
});
