import { expect, test } from "bun:test";
import { describeInChromium, withPage } from "../support/chromium.ts";
import { addressOf } from "../support/owner.ts";
import { copyProject } from "../support/project-copy.ts";
import { startServer } from "../support/server-process.ts";

describeInChromium("development", () => {
  test("shows an edit of a screen without a reload, and keeps what was typed, below a path too", async () => {
    await using copy = await copyProject();
    const env = { NODE_ENV: "development", BRAND: "Acre & Co", BASE_PATH: "/names" };
    await using server = await startServer(env, { folder: copy.folder });
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
});
