import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, type Page } from "../support/chromium.ts";
import { enter } from "../support/enter.ts";
import { previewOf } from "../support/import-client.ts";
import { type OpenRegister, openRegister } from "../support/owner.ts";

const PHONE = { width: 360, height: 740, deviceScaleFactor: 1, mobile: true };
const SMALL_PHONE = { ...PHONE, width: 320, height: 640 };

describeInChromium("on a phone", () => {
  let register: OpenRegister;
  let page: Page;

  beforeAll(async () => {
    register = await openRegister(60);
    ({ page } = register);
  });
  afterEach(() => expect(page.complaints).toEqual([]));
  afterAll(() => register[Symbol.asyncDispose]());

  async function show(path: string, phone = PHONE) {
    await page.view.cdp("Emulation.setDeviceMetricsOverride", phone);
    await enter(page, register.address, path);
    await page.until(
      "document.querySelector('tbody tr th') && !document.querySelector('.skeleton')",
    );
  }

  test("a preview shows its first row without scrolling, whatever it has to say", async () => {
    const names = Array.from({ length: 9 }, (_, at) => `new-${at}.example,2027-05-05,Ada`);
    const bad = ["name-00008.example,soon,Ada", "no name,2027-05-05,Ada", names[0]];
    const { id } = await previewOf(
      register.client,
      ["Domain,Expires,Owner", ...names, ...bad].join("\n"),
    );
    for (const phone of [PHONE, SMALL_PHONE]) {
      await show(`/domains/import?id=${id}&step=preview`, phone);
      await page.shows("a value that can’t be read");
      const [row = 0, foot = 0] = await page.evaluate<number[]>(`[
        document.querySelector("tbody tr").getBoundingClientRect().bottom,
        document.querySelector(".bottom").getBoundingClientRect().top]`);
      expect(row).toBeLessThanOrEqual(foot);
    }
  });

  test("the bar of the selection leaves the list to be seen, and a dialog its buttons, at great zoom too", async () => {
    for (const phone of [PHONE, SMALL_PHONE, { ...SMALL_PHONE, height: 256 }]) {
      await show("/domains", phone);
      await page.view.scrollTo("tbody .pick input", { block: "center" });
      await page.evaluate("document.querySelector('tbody .pick input').click()");
      await page.until("document.querySelector('.bulk-bar')");
      await page.evaluate("scrollTo(0, 1000)");
      const [bar = 1, tools = 1, width = 0] = await page.evaluate<number[]>(`[
        document.querySelector(".bulk-bar").offsetHeight / innerHeight,
        document.querySelector(".bulk-bar").getBoundingClientRect().bottom / innerHeight,
        document.documentElement.scrollWidth]`);
      expect(bar).toBeLessThanOrEqual(0.25);
      expect(tools).toBeLessThanOrEqual(0.25);
      expect(width).toBe(phone.width);
    }
    await page.goto(`${register.address}/domains?add`);
    await page.until("document.querySelector('dialog[open] .main')");
    const [foot = 0, height = 0] = await page.evaluate<number[]>(`[
      document.querySelector("dialog[open] .main").getBoundingClientRect().bottom, innerHeight]`);
    expect(foot).toBeLessThanOrEqual(height);
  });

  test("a card shows name, date, days, price and status whole, and is as high as any other", async () => {
    await show("/domains");
    const cards = await page.evaluate<{ height: number; cut: boolean }[]>(`
      [...document.querySelectorAll("tbody tr:has(time)")].map((row) => ({
        height: row.offsetHeight,
        cut: [...row.querySelectorAll(".domain-name, .of-expires, .of-days, .of-renewal, .of-state")]
          .some((part) => part.checkVisibility() && part.scrollWidth > part.clientWidth + 1),
      }))`);
    expect(new Set(cards.map(({ height }) => height)).size).toBe(1);
    expect(cards.filter(({ cut }) => cut)).toEqual([]);
  });

  test("the list begins near the top, with everything in reach, and returns to its row", async () => {
    await page.view.cdp("Emulation.setTouchEmulationEnabled", { enabled: true });
    await show("/domains");
    await expectAccessible(page);
    const top = "document.querySelector('tbody tr').getBoundingClientRect().top";
    // Below the sections, the head and two lines of tools, with a second card whole above the fold.
    expect(await page.evaluate<number>(top)).toBeLessThanOrEqual(290);
    const lines = await page.evaluate<number>(`new Set(
      [...document.querySelectorAll(".domains-tools > *")].filter((each) => each.checkVisibility())
        .map((each) => Math.round(each.getBoundingClientRect().top / 100))).size`);
    expect(lines).toBeLessThanOrEqual(2);
    await page.press("Views");
    for (const text of ["Sort by", "Columns", "Export", "Import", "Save this view as"]) {
      await page.shows(text);
    }
    expect(
      await page.evaluate<boolean>(
        "[...document.querySelectorAll('button')].some((e) => e.innerText === 'Shortcuts' && e.checkVisibility())",
      ),
    ).toBe(false);
    await page.view.press("Escape");

    await page.evaluate("scrollTo(0, 20 * document.querySelector('tbody tr').offsetHeight)");
    await page.until("document.getElementById('row-20')?.querySelector('a')");
    const inSight = (selector: string) =>
      page.evaluate<boolean>(`(() => {
        const { top, bottom } = document.querySelector("${selector}").getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      })()`);
    expect(await inSight("#domains-search")).toBe(true);
    const name = await page.evaluate<string>(
      "document.querySelector('#row-20 .row-link').innerText",
    );
    await page.view.click("#row-20 .row-link");
    await page.until(`document.querySelector('h1').textContent === '${name}'`);
    await page.evaluate("history.back()");
    await page.until(`document.activeElement.innerText === '${name}'`);
  });
});
