import { SQL } from "bun";
import { expect, test } from "bun:test";
import { OWNER } from "../support/api-client.ts";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, type Page, withPage } from "../support/chromium.ts";
import { enter } from "../support/enter.ts";
import { shareSession, startRegister } from "../support/owner.ts";
import { addPeople, signInAs } from "../support/people.ts";

const OFFERED = `[...document.querySelectorAll("main button, main a, dialog [role=option]")]
  .filter((each) => each.checkVisibility())
  .map((each) => each.ariaLabel || each.innerText.trim())`;
const REFUSED = `performance.getEntriesByType("resource")
  .filter(({ responseStatus }) => responseStatus === 403).map(({ name }) => name)`;
/** Of a page that stays for more requests than it would remember. */
const REMEMBER_ALL = "void performance.setResourceTimingBufferSize(10_000)";

const ACTS = `document.querySelectorAll(".work button").length`;

/** Expects that some things are offered, and others not. */
async function expectOffers(page: Page, offered: readonly string[], others: readonly string[]) {
  await page.until(`${JSON.stringify(offered)}.every((each) => ${OFFERED}.includes(each))`);
  const found = await page.evaluate<string[]>(OFFERED);
  expect(found.filter((each) => others.includes(each))).toEqual([]);
}

/** From home by links: the list with a selection, a domain, and what the palette leads to. */
async function goThrough(
  page: Page,
  { editing = [], isJudged = false }: { editing?: string[]; isJudged?: boolean } = {},
) {
  const expectRole = async (all: readonly string[], edit: readonly string[]) => {
    if (editing.length > 0) return expectOffers(page, [...all, ...edit], []);
    await expectOffers(page, all, edit);
    // The other tests look at what an owner is offered.
    if (isJudged) await expectAccessible(page);
  };
  await page.press("All");
  await page.until("location.search === '?person=all'");
  await expectRole(["Mine", "All", "Settings"], ["Add a domain", "Import"]);
  const isOffered = editing.length > 0;
  await page.until(`document.querySelector(".work a") && ${ACTS} > 0 === ${isOffered}`);
  await page.press("Search Ctrl K");
  await page.until("document.querySelectorAll('dialog [role=option]').length > 5");
  await expectOffers(page, ["Costs", "Export all domains as CSV"], ["People"]);
  const choices = await page.evaluate<string[]>(OFFERED);
  expect(choices.includes("Add a domain")).toBe(editing.length > 0);
  expect(choices.includes("Import")).toBe(editing.length > 0);
  await page.press("Close");

  await page.press("Domains");
  await page.until("document.querySelector('tbody .row-link')");
  await page.evaluate("document.querySelector('tbody input[type=checkbox]').click()");
  await expectRole(["Clear"], ["Add a domain", "Import", "Keep"]);
  await page.evaluate("document.querySelector('tbody .actions button').click()");
  await expectRole(["Open the page"], ["Edit", "Delete", "Watch"]);
  await page.press("Open the page");
  await page.shows("History");
  await expectRole(["Home"], ["Edit"]);
  expect(await page.evaluate<string[]>(REFUSED)).toEqual([]);
}

describeInChromium("roles", () => {
  test("a viewer, one with a limit and an editor go through what each may do, and meet no refusal", async () => {
    await using register = await startRegister(60);
    const { address, url, client: owner, databaseUrl } = register;
    await using sql = new SQL(databaseUrl);
    const role = "viewer" as const;
    const people = [
      { email: "vera@example.com", name: "Vera", role },
      { email: "ed@example.com", name: "Ed" },
      { email: "lim@example.com", name: "Lim", role, limit: { owners: ["Acme"] } },
    ];
    const ids = await addPeople(sql, people);
    const [ada] = await sql<{ id: string }[]>`select id from users where email = ${OWNER.email}`;
    for (const [index, id] of [...ids, ada?.id ?? ""].entries()) {
      await sql`update domains set person_id = ${id} where name like ${`name-000${index + 1}%`}`;
    }
    await sql`update domains set owner = 'Acme', owner_key = 'acme' where name like 'name-000%'`;
    const edit = ["Add a domain", "Import"];

    await withPage(async (page) => {
      await shareSession(page, await signInAs(url, "vera@example.com"), address);
      await page.goto(`${address}/home`);
      await page.until(
        "document.querySelector('[aria-label=\"Whose domains\"] [aria-current=true]').innerText === 'Mine'",
      );
      await goThrough(page, { isJudged: true });
      await enter(page, address, "/domains/import");
      await page.shows("Only editors and owners can use this page.");
      await expectOffers(page, [], ["Continue", "Choose files"]);
      expect(await page.evaluate<string[]>(REFUSED)).toEqual([]);

      await shareSession(page, await signInAs(url, "lim@example.com"), address);
      await page.goto(`${address}/home`);
      await page.evaluate(REMEMBER_ALL);
      await goThrough(page);
      const settings = ["", "/security", "/tokens", "/reminders"].map((path) => `/settings${path}`);
      for (const path of ["/costs", "/changes", ...settings]) {
        await enter(page, address, path);
        await page.until(
          "document.querySelector('.page h1') && !document.querySelector('.skeleton')",
        );
        expect(await page.evaluate<string[]>(REFUSED)).toEqual([]);
      }
      await enter(page, address, "/registrars");
      await page.shows("Only people without a limit can use this page.");
      const sections =
        "[...document.querySelectorAll('.sections li')].map((each) => each.innerText).join()";
      expect(await page.evaluate<string>(sections)).toBe("Home,Domains,Costs,Reminders,Settings");

      await shareSession(page, await signInAs(url, "ed@example.com"), address);
      await page.goto(`${address}/home`);
      await goThrough(page, { editing: edit });

      await shareSession(page, owner, address);
      await page.goto(`${address}/home`);
      await page.press("Search Ctrl K");
      await expectOffers(page, ["People", "Audit log"], []);
    });
  });
});
