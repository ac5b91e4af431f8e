import { expect, test } from "bun:test";
import { describeInChromium, withPage } from "../support/chromium.ts";
import { setUpOwner } from "../support/owner.ts";
import { startServer } from "../support/server-process.ts";

describeInChromium("the page of whoever is signed in", () => {
  test("asks for what its screen shows once, before the screen could", async () => {
    await using own = await startServer();
    await withPage(async (page) => {
      const at = await setUpOwner(page, own);
      for (const [path, call] of [
        ["/home", "/api/summary?today="],
        ["/domains", "/api/domains?"],
      ] as const) {
        page.requests.length = 0;
        await page.goto("about:blank");
        await page.goto(at + path);
        await page.shows("Add your first domains");
        const called = page.requests.filter((url) => url.startsWith(at + call));
        const needs = await page.evaluate<string>(
          "document.querySelector('[data-needs]').dataset.needs",
        );
        const asked = called.map((url) => url.replace(/=\d{4}-\d\d-\d\d$/, "={today}"));
        expect(asked).toEqual([`${at}${needs.split(" ").at(-1)}`]);
      }

      // Next time that does not wait for the session.
      await page.goto("about:blank");
      page.requests.length = 0;
      const asked = Promise.withResolvers<undefined>();
      page.on("Network.requestWillBeSent", () => {
        if (page.requests.some((url) => url.includes("/api/summary"))) asked.resolve(undefined);
      });
      page.on("Fetch.requestPaused", async (data) => {
        // The DevTools protocol's own shape.
        const { requestId } = data as { requestId: string };
        await asked.promise;
        await page.view.cdp("Fetch.continueRequest", { requestId });
      });
      await page.view.cdp("Fetch.enable", { patterns: [{ urlPattern: "*/api/token" }] });
      await page.goto(`${at}/home`);
      await page.shows("Add your first domains");
      expect(page.requests.filter((url) => url.includes("/api/summary")).length).toBe(1);
    });
  });
});
