import { afterAll, beforeAll, expect, test } from "bun:test";
import { describeInChromium, withPage } from "../support/chromium.ts";
import { addressOf } from "../support/owner.ts";
import { copyProject } from "../support/project-copy.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";

describeInChromium("development", () => {
  let copy: Awaited<ReturnType<typeof copyProject>>;
  let server: ServerProcess;
  beforeAll(async () => {
    copy = await copyProject();
    const env = { NODE_ENV: "development", BRAND: "Acre & Co", BASE_PATH: "/names" };
    server = await startServer(env, { folder: copy.folder });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await copy[Symbol.asyncDispose]();
  });

  test("shows an edit of a screen without a reload, and keeps what was typed, below a path too", async () => {
    await withPage(async (page) => {
      await page.goto(`${addressOf(server)}/home`);
      await page.shows("Create the owner account");
      await page.until("document.title === 'Home · Acre & Co'");
      const logo = "document.querySelector('nav a').getAttribute('href')";
      expect(await page.evaluate<string>(logo)).toBe("/names/");
      await page.fill("E-mail address", "ada@example.org");
      await page.evaluate("window.sameDocument = true");

      await copy.edit("src/client/home/home.tsx", '?? "Home"', '?? "Home, edited"');
      await page.until("document.querySelector('h1').innerText === 'Home, edited'");
      await copy.edit(
        "src/client/home/home.css",
        ".home",
        ".home { outline: 3px solid rgb(1, 2, 3) } .home",
      );
      await page.until(
        "getComputedStyle(document.querySelector('.home')).outlineColor === 'rgb(1, 2, 3)'",
      );

      expect(
        await page.evaluate<unknown>(
          "[window.sameDocument, document.querySelector('[type=email]').value]",
        ),
      ).toEqual([true, "ada@example.org"]);
    });
  });

  test("shows the not-found screen at an address that leads nowhere", async () => {
    await withPage(async (page) => {
      await page.goto(`${addressOf(server)}/nothing`);
      await page.shows("Page not found");
      // The browser itself writes a line about every document with status 404.
      expect(page.complaints.splice(0)).toEqual([expect.stringContaining("404")]);
    });
  });
});
