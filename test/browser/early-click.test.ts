import { afterAll, beforeAll, expect, test } from "bun:test";
import { describeInChromium, type Page, withPage } from "../support/chromium.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { openShakyServer } from "../support/shaky-server.ts";

let server: ServerProcess;

const BUSY = "document.querySelector('.progress-bar:not([hidden])')";
/** The page's first script has run. */
const STARTED = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd > 0";

/**
 * Opens a path whose React is held back, uses the page meanwhile, then lets React come.
 *
 * @returns Once home has come, how many entries of the history that made.
 */
async function useEarly(page: Page, path: string, use: () => Promise<void>): Promise<number> {
  await using shaky = openShakyServer(server.url);
  const gate = Promise.withResolvers<undefined>();
  shaky.spoil = async (asked) => (asked.startsWith("/assets/vendor-") ? gate.promise : undefined);
  await page.view.cdp("Network.setCacheDisabled", { cacheDisabled: true });
  const before = await page.evaluate<number>("history.length");
  const loaded = page.goto(shaky.url + path);
  await page.until(`location.origin === "${shaky.url}" && ${STARTED}`);
  await use();
  expect(await page.evaluate<string>("location.pathname")).toBe(path);
  gate.resolve(undefined);
  await loaded;
  await page.shows("Create the first account");
  await page.until(`location.pathname === "/home" && !${BUSY}`);
  expect(shaky.asked.filter(({ document }) => document).map((each) => each.path)).toEqual([path]);
  return (await page.evaluate<number>("history.length")) - before;
}

describeInChromium("a click that comes before React", () => {
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  test("shows at once, and is answered by the application in the same document", async () => {
    await withPage(async (page) => {
      const entries = await useEarly(page, "/domains", async () => {
        await page.press("Freehold");
        await page.until(BUSY);
      });
      await page.until("document.activeElement.textContent === 'Home'");
      expect(entries).toBe(2);
    });
  });

  test("changes nothing where it leads to what is coming", async () => {
    await withPage(async (page) => {
      expect(await useEarly(page, "/", async () => page.press("Freehold"))).toBe(1);
    });
  });

  test("is the browser's in the content, which React takes over later than the bar", async () => {
    await using shaky = openShakyServer(server.url);
    await withPage(async (page) => {
      const gate = Promise.withResolvers<undefined>();
      shaky.spoil = async (asked) =>
        asked.startsWith("/assets/vendor-") ? gate.promise : undefined;
      await page.view.cdp("Network.setCacheDisabled", { cacheDisabled: true });
      const loaded = page.goto(`${shaky.url}/domains/one.example`).catch(() => undefined);
      await page.until(`location.origin === "${shaky.url}" && ${STARTED}`);
      await page.evaluate("void document.querySelector('main a').click()");
      await page.until("location.pathname === '/domains'");
      gate.resolve(undefined);
      await loaded;
      await page.shows("Create the first account");
    });
  });
});
