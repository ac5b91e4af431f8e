import { expect, test } from "bun:test";
import { join } from "node:path";
import { OWNER } from "../support/api-client.ts";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, type Page, withPage } from "../support/chromium.ts";
import { addressOf, setUpByForm, signOut } from "../support/owner.ts";
import { startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

describeInChromium("a person's way through the product", () => {
  test("set-up, sign-in, add, edit, reload, restart, delete, sign-out", async () => {
    using folder = createTemporaryFolder();
    const database = { DATABASE_URL: `sqlite://${join(folder.path, "register.sqlite")}` };
    await using first = await startServer(database);

    await withPage(async (page) => {
      await page.goto(`${addressOf(first)}/home`);
      await page.shows("Create the owner account");

      const address = await setUpByForm(page, first);
      expect(await page.evaluate<string>("location.href")).toBe(`${address}/home`);
      await expectAccessible(page);

      await signOut(page);
      await page.shows("Sign in");
      await expectAccessible(page);
      // A form may be open for longer than the cookies that it came with.
      await dropCookies(page, address);
      await page.fill("E-mail address", OWNER.email);
      await page.fill("Password", OWNER.password);
      await page.press("Sign in");
      await page.shows("Add your first domains");

      await page.press("Add a domain");
      await page.shows("Add a domain");
      await page.until("document.querySelector('dialog[open]')");
      await expectAccessible(page);
      await page.fill("Domain name", "Bücher.example");
      await page.fill("Registrar", "Gandi");
      await page.press("Add");
      await page.shows("bücher.example");
      await page.until("document.querySelector('th[title=\"xn--bcher-kva.example\"]')");

      await page.press("Actions for bücher.example");
      await page.press("Edit");
      await page.until("document.querySelector('dialog[open]')");
      await page.fill("Owner", "Ada");
      await page.press("Save");
      await page.until("!document.querySelector('dialog[open]')");
      await page.shows("Ada");

      await page.reload();
      await page.shows("Ada");

      const { port } = new URL(first.url);
      expect(await first.stop()).toBe(0);
      await using second = await startServer({ ...database, PORT: port });
      expect(second.output()).not.toContain("set-up");
      await page.reload();
      await page.shows("Ada");
      await page.shows("Gandi");

      await page.press("Actions for bücher.example");
      await page.press("Delete");
      await page.shows("Delete bücher.example?");
      await expectAccessible(page);
      await page.press("Delete");
      await page.until("!document.querySelector('dialog[open]')");
      await page.shows("No domains yet");
      await expectAccessible(page);

      await page.press(
        await page.evaluate("document.querySelector('nav a').getAttribute('aria-label')"),
      );
      await page.shows("Add your first domains");
      await dropCookies(page, address);
      await signOut(page);
      await page.shows("Sign in");
      await page.goto(`${address}/domains`);
      await page.shows("Sign in");
      expect(await page.evaluate<string>("document.body.innerText")).not.toContain("Ada");
    });
  });
});

async function dropCookies(page: Page, url: string): Promise<void> {
  type Answer = { cookies: { name: string }[] };
  const { cookies } = await page.view.cdp<Answer>("Network.getCookies", { urls: [url] });
  expect(cookies.length).toBeGreaterThan(0);
  for (const { name } of cookies) await page.view.cdp("Network.deleteCookies", { name, url });
}
