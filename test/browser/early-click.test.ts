import { afterAll, beforeAll, expect, test } from "bun:test";
import { describeInChromium, withPage } from "../support/chromium.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { openShakyServer } from "../support/shaky-server.ts";

/** The page's first script has run. */
const STARTED = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd > 0";

describeInChromium("a click that comes before React", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test.each([
    ["the bar", "nav a", "/home"],
    ["the content", "main a[href='/domains']", "/domains"],
  ])("is a plain link's, in %s", async (_, link, target) => {
    await using shaky = openShakyServer(server.url);
    await withPage(async (page) => {
      const gate = Promise.withResolvers<undefined>();
      shaky.spoil = async (asked) =>
        asked.startsWith("/assets/vendor-") ? gate.promise : undefined;
      await page.view.cdp("Network.setCacheDisabled", { cacheDisabled: true });
      const loaded = page.goto(`${shaky.url}/domains/one.example`).catch(() => undefined);
      await page.until(`location.origin === "${shaky.url}" && ${STARTED}`);
      await page.evaluate(`void document.querySelector("${link}").click()`);
      await page.until("location.pathname !== '/domains/one.example'");
      gate.resolve(undefined);
      await loaded;
      await page.shows("Create the owner account");
      expect(await page.evaluate<string>("location.pathname")).toBe(target);
    });
  });
});
