import { expect } from "bun:test";
import type { ApiClient } from "./api-client.ts";
import { Page } from "./chromium.ts";
import { shareSession } from "./owner.ts";
import type { ServerProcess } from "./server-process.ts";
import { openShakyServer } from "./shaky-server.ts";

const RED = "This screen could not be loaded";
/** True once React has the page: before, a click on a link is the browser's own. */
export const TAKEN_OVER = "history.scrollRestoration === 'manual'";
/** A visit to an address of its own that can break: where it begins is as old as the deploy. */
export async function openVisit(old: ServerProcess) {
  const shaky = openShakyServer(old.url);
  const page = await Page.open();
  // Another test has loaded the same files.
  await page.view.cdp("Network.setCacheDisabled", { cacheDisabled: true });
  return {
    shaky,
    page,
    documents: () => shaky.asked.filter(({ document }) => document).length,
    /** Goes to a screen whose one link leads to an area that the page has not loaded. */
    async goNowhere() {
      await page.goto(`${shaky.url}/nowhere`);
      await page.until(TAKEN_OVER);
      await page.evaluate("window.sameDocument = true");
      shaky.asked.length = 0;
    },
    goHome: () => page.press("Home"),
    signIn: (owner: ApiClient) => shareSession(page, owner, shaky.url),
    isSameDocument: () => page.evaluate<boolean>("window.sameDocument === true"),
    /** Resolves when the page has not asked for anything for a while. */
    async rests() {
      for (let asked = -1; asked !== shaky.asked.length; await Bun.sleep(400)) {
        asked = shaky.asked.length;
      }
    },
    async expectMessageInMain(path = "/home") {
      await page.shows(RED);
      const found = await page.evaluate<unknown>(`({
        button: !!document.querySelector("main [role=alert] button"),
        around: !!document.querySelector("nav") && !!document.querySelector("footer"),
        path: location.pathname,
      })`);
      expect(found).toEqual({ button: true, around: true, path });
    },
    async [Symbol.asyncDispose]() {
      await page.close();
      await shaky[Symbol.asyncDispose]();
    },
  };
}
