import { afterAll, beforeAll, expect, test } from "bun:test";
import { focused } from "../support/accessibility-tree.ts";
import { OWNER } from "../support/api-client.ts";
import { describeInChromium, Page } from "../support/chromium.ts";
import { enter } from "../support/enter.ts";
import { LISTEN } from "../support/heard.ts";
import { ODD_NAMES } from "../support/seed-register.ts";
import { shareSession, type StartedRegister, startRegister } from "../support/owner.ts";

/** Farther than this, nobody goes by one key. */
const MAX_STEPS = 25;

describeInChromium("by keys and by ear alone", () => {
  let register: StartedRegister;
  let page: Page;

  beforeAll(async () => {
    register = await startRegister(60);
    page = await Page.open({ before: LISTEN });
  });
  afterAll(async () => {
    await page.close();
    await register[Symbol.asyncDispose]();
  });

  /** Waits until the focus is on what is read out so. */
  async function isAt(place: string) {
    let at: string | undefined;
    const end = Date.now() + 40_000;
    while (Date.now() < end && at !== place) at = await focused(page);
    expect(at).toBe(place);
  }
  /** Waits until this has been said since the last step. */
  async function says(words: string) {
    await page.until(`window.said.includes(${JSON.stringify(words)})`);
    await page.evaluate("void (window.said.length = 0)");
  }
  /** Presses Tab until the focus is on what is read out so. */
  async function tabTo(place: string) {
    const passed: string[] = [];
    for (let step = 0; step < MAX_STEPS; step += 1) {
      await page.view.press("Tab");
      const at = await focused(page);
      if (at === place) return;
      passed.push(at ?? "");
    }
    throw new Error(`Passed ${passed.join(", ")}, but not ${place}.`);
  }

  test("signs in and decides the first row of home", async () => {
    await page.goto(`${register.address}/home`);
    await isAt("textbox E-mail address");
    await page.view.type(OWNER.email);
    await tabTo("textbox Password");
    await page.view.type(OWNER.password);
    await page.view.press("Enter");
    await page.until("document.querySelector('.job')");
    expect(await focused(page)).toEndWith("need you this week");
    await page.view.press("j");
    await isAt("link παράδειγμα.δοκιμή");
    await page.view.press("y");
    await says("παράδειγμα.δοκιμή: Keep. Press z to undo. Undo Dismiss");
    // The next one, which the next key is for.
    await isAt(`link ${ODD_NAMES[6][0]}`);
    await page.view.press("z");
    await says("Change undone for 1 domain. Redo Dismiss");
  });

  test("finds a domain and changes its date in the panel", async () => {
    await shareSession(page, register.client, register.address);
    await enter(page, register.address, "/domains");
    await page.until("document.querySelector('tbody a')");
    await page.view.press("/");
    await isAt("searchbox Search domains");
    await page.view.type("name-00033");
    await says("1 domain found");
    await page.view.press("ArrowDown");
    await isAt("link name-00033.example");
    await page.view.press("Enter");
    await isAt("heading name-00033.example");
    await page.until("document.querySelector('.domain-panel .answer')");
    await tabTo("button Edit");
    await page.view.press("Enter");
    await isAt("textbox Domain name");
    await tabTo("textbox Expiry date");
    await page.view.press("a", { modifiers: ["Control"] });
    await page.view.type("2031-05-05");
    await page.view.press("Enter");
    await says("Saved name-00033.example. Press z to undo. Undo Dismiss");
    await isAt("button Edit");
  });

  test("imports a list and undoes it", async () => {
    await shareSession(page, register.client, register.address);
    await enter(page, register.address, "/domains/import");
    await page.until("document.querySelector('textarea')");
    await tabTo("textbox Or paste domains");
    await page.view.type("one.example");
    await tabTo("button Continue");
    await page.view.press("Enter");
    await isAt("heading Check the columns");
    await tabTo("button Preview");
    await page.view.press("Enter");
    await isAt("heading Review changes");
    await tabTo("button Import 1 domain");
    await page.view.press("Enter");
    await isAt("heading Import complete");
    await page.until("window.said.includes('Importing 1 domain…')");
    await says("1 domain added.");
    await tabTo("button Undo this import");
    await page.view.press("Enter");
    await isAt("button Cancel");
    await tabTo("button Undo import");
    await page.view.press("Enter");
    await isAt("heading Import undone");
    await says("1 domain removed.");
  });
});
