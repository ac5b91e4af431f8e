import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { focused, readTree } from "../support/accessibility-tree.ts";
import { describeInChromium, Page } from "../support/chromium.ts";
import { addressOf } from "../support/owner.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

const LANDMARKS = ["banner", "navigation", "main", "contentinfo"];
const SAID = new Set([...LANDMARKS, "heading", "link", "button", "textbox", "checkbox"]);

let server: ServerProcess;

async function readOrder(page: Page): Promise<string[]> {
  const nodes = await readTree(page);
  return nodes
    .filter(({ role }) => SAID.has(role))
    .map(({ role, name }) => `${role} ${name}`.trim());
}

/** What speaks up by itself, wherever the focus is, with what it says. */
async function spoken(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(
    "[aria-live], output, [role=status], [role=alert], [role=log]")].map((e) => e.innerText).filter(Boolean)`);
}

describeInChromium("what assistive technology is told", () => {
  let page: Page;
  beforeAll(async () => {
    server = await startServer();
    page = await Page.open();
  });
  afterEach(() => expect(page.complaints).toEqual([]));
  afterAll(async () => {
    await page.close();
    await server[Symbol.asyncDispose]();
  });

  const before = ["link Skip to content", "navigation Main", "link Freehold", "main"];
  const form = [
    "heading Welcome to Freehold",
    "textbox Set-up code",
    "textbox E-mail address",
    "textbox Password",
    "checkbox Show password",
    "button Create account",
  ];

  test("reads the way past the bar, the bar, the content by its heading, and the foot", async () => {
    await page.goto(`${addressOf(server)}/home`);
    await page.shows("Create the owner account");
    expect(await readOrder(page)).toEqual([...before, ...form, "contentinfo"]);
    const heading = (await readTree(page)).find(({ role }) => role === "heading");
    expect(heading?.properties["level"]).toBe(1);
  });

  test("announces a navigation once, by the focus on its heading or in the form", async () => {
    await page.goto(`${addressOf(server)}/home`);
    await page.shows("Create the owner account");
    expect(await focused(page)).toBe("textbox Set-up code");
    expect(await spoken(page)).toEqual([]);
    await page.evaluate("history.pushState(null, '', '/nowhere')");
    await page.until("document.activeElement.localName === 'h1'");
    expect(await readOrder(page)).toEqual([
      ...before,
      "heading Page not found",
      "link Home",
      "contentinfo",
    ]);
    expect(await focused(page)).toBe("heading Page not found");
    expect(await spoken(page)).toEqual([]);

    await page.press("Home");
    await page.until("document.activeElement.matches('input')");
    expect(await focused(page)).toBe("textbox Set-up code");
    expect(await page.evaluate<string>("document.title")).toBe("Home · Freehold");
    expect(await spoken(page)).toEqual([]);
  });
});
