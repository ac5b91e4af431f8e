import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { describeInChromium, type Page } from "../support/chromium.ts";
import { enter } from "../support/enter.ts";
import { faultsOf, fillLook, LOOK_ENDINGS, spaceOut, WIDTHS } from "../support/look.ts";
import { type OpenRegister, openRegister } from "../support/owner.ts";

/** From this width the panel stands beside the list. */
const PANEL_FROM = 1000;

const ROWS = "document.querySelectorAll('tbody tr[data-due]').length > 5";

/** Leaves nothing to do: what is ahead renews by itself, and the rest is dropped. */
function clearAll(file: string) {
  using database = new Database(file);
  database.run("pragma busy_timeout = 5000");
  database.run(`update domains set status = null, status_key = null, auto_renew = 1,
    decision = case when expires_earliest >= date('now') then 'keep' else 'drop' end`);
  database.run("update domains set auto_renew = 0 where decision = 'drop'");
}

describeInChromium("a register of 340 names at every width", () => {
  let register: OpenRegister;
  let page: Page;
  let file = "";

  beforeAll(async () => {
    register = await openRegister(340, {}, (path) => fillLook((file = path)));
    ({ page } = register);
  });
  afterEach(() => expect(page.complaints).toEqual([]));
  afterAll(() => register[Symbol.asyncDispose]());

  async function showHome() {
    await page.goto(`${register.address}/home`);
    await page.shows("Next 12 months");
  }

  /** Goes on within the page: a load costs more than most screens. */
  async function show(path: string, until: string) {
    await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
    await page.until(`${until} && ${ROWS}`);
  }

  /** The widths at which the table reaches over the edge of its list. */
  async function overhangs(): Promise<number[]> {
    const found: number[] = [];
    for (const width of WIDTHS) {
      await page.view.resize(width, 900);
      const isOver = await page.evaluate<boolean>(`(async () => {
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
        const right = (selector) => document.querySelector(selector).getBoundingClientRect().right;
        return right(".domain-table") > right(".domain-list") + 1;
      })()`);
      if (isOver) found.push(width);
    }
    return found;
  }

  test("shows each name of home whole, in rows of one height", async () => {
    await showHome();
    await page.evaluate("document.querySelector('.job a').focus()");
    // As high as the page, so that each row lies in the window.
    expect(await faultsOf(page, LOOK_ENDINGS, { height: 4000 })).toEqual([]);
    // A print shows no navigation and nothing to press.
    await page.view.cdp("Emulation.setEmulatedMedia", { media: "print" });
    const pressable = `[...document.querySelectorAll("nav, main button")]`;
    await page.until(`${pressable}.length > 1 && !${pressable}.some((e) => e.checkVisibility())`);
    await page.view.cdp("Emulation.setEmulatedMedia", { media: "" });
    await page.view.resize(360, 900);
    await spaceOut(page);
    const cut = await page.evaluate<string[]>(`[...document.querySelectorAll(".todo")]
      .filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText)`);
    expect(cut).toEqual([]);
  });

  test("shows every name of the list whole, in a row of one height, and one filled button at most", async () => {
    await page.view.resize(1280, 900);
    await page.goto(`${register.address}/domains`);
    await page.until(`${ROWS} && document.querySelector(".chips .chip")`);
    expect(await faultsOf(page, LOOK_ENDINGS)).toEqual([]);

    await show("/domains?expires=conflict", "document.querySelector('.of-otherDate')");
    expect(await faultsOf(page, LOOK_ENDINGS)).toEqual([]);

    await page.view.resize(1280, 900);
    await show(
      "/domains?open=name-00009.example",
      "document.querySelector('.domain-panel .answer')",
    );
    const wide = WIDTHS.filter((width) => width >= PANEL_FROM);
    expect(await faultsOf(page, LOOK_ENDINGS, { widths: wide })).toEqual([]);
    // Columns leave whole: none is wider than the list, and what is shown is not squeezed.
    const squeezed = await page.evaluate<string[]>(`
      [...document.querySelectorAll("tbody td:is(.of-state, .number, .of-autoRenew, .of-decision)")]
        .filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + 1)
        .map((cell) => cell.innerText)`);
    expect(squeezed).toEqual([]);
  });

  test("moves no button of a selection as its cost arrives", async () => {
    await enter(page, register.address, "/domains");
    await page.until(ROWS);
    await page.evaluate("document.querySelector('thead input').click()");
    for (const width of [1920, 1280, 768]) {
      await page.view.resize(width, 900);
      await page.until("document.querySelector('.bulk-bar > p').innerText.includes('/year')");
      const moved = await page.evaluate<string[]>(`(() => {
        const bar = document.querySelector(".bulk-bar");
        const lefts = () => [...bar.querySelectorAll("button")].map((e) => e.getBoundingClientRect().left);
        const late = [...bar.querySelector("output").childNodes].at(-1);
        const after = lefts();
        const cost = late.data;
        late.data = "";
        const before = lefts();
        late.data = cost;
        return before.filter((left, at) => left !== after[at]);
      })()`);
      expect([width, moved]).toEqual([width, []]);
    }
    await page.press("Clear");
  });

  test("stays whole with more space between letters, words and lines", async () => {
    await page.view.resize(1280, 900);
    await show("/domains", "!document.querySelector('.domain-panel')");
    expect(await overhangs()).toEqual([]);
    await spaceOut(page);
    expect(await faultsOf(page, LOOK_ENDINGS)).toEqual([]);
    expect(await overhangs()).toEqual([]);
  });

  test("shows home whole once nothing is left to do", async () => {
    clearAll(file);
    await showHome();
    await page.until("document.querySelector('h1').textContent.startsWith('All clear')");
    await page.shows("Renewing by themselves");
    expect(await faultsOf(page, LOOK_ENDINGS, { height: 4000 })).toEqual([]);
  });
});
