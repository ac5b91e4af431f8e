import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, type Page } from "../support/chromium.ts";
import { enter } from "../support/enter.ts";
import { type OpenRegister, openRegister } from "../support/owner.ts";

describeInChromium("one domain", () => {
  let register: OpenRegister;
  let address: string;
  let page: Page;

  beforeAll(async () => {
    register = await openRegister(200);
    ({ address, page } = register);
  });
  afterEach(() => expect(page.complaints).toEqual([]));
  afterAll(() => register[Symbol.asyncDispose]());

  const heading = () => page.evaluate<string>("document.querySelector('h1').textContent");

  test("has its conflict settled, and the next one follows", async () => {
    await page.goto(`${address}/domains/name-00043.example?expires=conflict`);
    await page.shows("5 with conflicting dates");
    await page.shows("Until you choose, the earlier date counts.");
    await expectAccessible(page);
    // The other source's date; the first button is that of the one in use.
    await page.evaluate(`document.querySelectorAll(".lines li button")[1].click()`);
    await page.shows("By hand · ");
    await page.view.press("j");
    await page.until(`document.querySelector("h1").textContent === "name-00083.example"`);
    await page.shows("4 with conflicting dates");
    expect(await page.evaluate<string>("document.title")).toContain("name-00083.example");
    await page.press("Undo");
    await page.shows("Change undone for 1 domain.");
  });

  test("is decided, undone from the history, deleted and restored", async () => {
    await enter(page, address, "/domains/name-00010.example");
    const decision = (chosen: string) =>
      page.until(`[...document.querySelectorAll(".lines > div")]
        .some((fact) => /^Decision\\s+${chosen}$/.test(fact.innerText))`);
    await page.press("More for name-00010.example");
    await page.press("Transfer");
    await page.shows("name-00010.example: Transfer.");
    await decision("Transfer");
    await page.press("Undo");
    await decision("(?!Transfer).+");
    // Read again, with the undo and the change that it took back, which has no button any more.
    const history = "[aria-labelledby='history'] li";
    await page.until(`document.querySelectorAll("${history}").length === 5 &&
      document.querySelectorAll("${history} .button").length === 1`);
    await page.evaluate(`document.querySelector("[aria-labelledby='history'] li .button").click()`);
    await decision("Transfer");

    await page.press("More for name-00010.example");
    await page.press("Delete");
    await page.shows("Nothing changes at the registrar.");
    await page.press("Delete");
    await page.shows("Deleted name-00010.example.");
    await enter(page, address, "/domains/bin");
    await page.shows("1 domain, kept for 30 days");
    await expectAccessible(page);
    await page.press("Restore name-00010.example");
    await page.shows("The bin is empty");
    await enter(page, address, "/domains/name-00010.example");
    await page.shows("Restored");
    expect(await heading()).toBe("name-00010.example");
  });
});
