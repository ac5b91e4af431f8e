import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { describeInChromium, type Page } from "../support/chromium.ts";
import { enter } from "../support/enter.ts";
import { faultsOf, fillLook, LOOK_ENDINGS, SCHEMES, spaceOut, WIDTHS } from "../support/look.ts";
import { type OpenRegister, openRegister } from "../support/owner.ts";

/** From this width the panel stands beside the list. */
const PANEL_FROM = 1000;

const ROWS = "document.querySelectorAll('tbody tr[data-due]').length > 5";

describeInChromium("the list of 340 names at every width", () => {
  let register: OpenRegister;
  let page: Page;

  beforeAll(async () => {
    register = await openRegister(340, {}, fillLook);
    ({ page } = register);
  });
  afterEach(() => expect(page.complaints).toEqual([]));
  afterAll(() => register[Symbol.asyncDispose]());

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

  test.each(Object.entries(SCHEMES))(
    "shows every name whole, in a row of one height, and one filled button at most: %s",
    async (scheme, widths) => {
      const features = [{ name: "prefers-color-scheme", value: scheme }];
      await page.view.cdp("Emulation.setEmulatedMedia", { features });
      await page.view.resize(1280, 900);
      await page.goto(`${register.address}/domains`);
      await page.until(`${ROWS} && document.querySelector(".chips .chip")`);
      expect(await faultsOf(page, LOOK_ENDINGS, { widths })).toEqual([]);

      await show("/domains?expires=conflict", "document.querySelector('.of-otherDate')");
      expect(await faultsOf(page, LOOK_ENDINGS, { widths })).toEqual([]);

      await page.view.resize(1280, 900);
      await show(
        "/domains?open=name-00009.example",
        "document.querySelector('.domain-panel .answer')",
      );
      const wide = widths.filter((width) => width >= PANEL_FROM);
      expect(await faultsOf(page, LOOK_ENDINGS, { widths: wide })).toEqual([]);
      // Columns leave whole: none is wider than the list, and what is shown is not squeezed.
      const squeezed = await page.evaluate<string[]>(`
        [...document.querySelectorAll("tbody td:is(.of-state, .number, .of-autoRenew, .of-decision)")]
          .filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + 1)
          .map((cell) => cell.innerText)`);
      expect(squeezed).toEqual([]);
    },
  );

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
});
