import { expect, test } from "bun:test";
import { join } from "node:path";
import { OWNER } from "../support/api-client.ts";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, withPage } from "../support/chromium.ts";
import { personButton, setUpByForm, signOut } from "../support/owner.ts";
import { runServer, startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const FOCUSED = "document.activeElement.labels?.[0]?.innerText ?? document.activeElement.innerText";

describeInChromium("the owner's account", () => {
  test("is set up, gets another address, and a new password by a printed link", async () => {
    using folder = createTemporaryFolder();
    const DATABASE_URL = `sqlite://${join(folder.path, "register.sqlite")}`;
    await using server = await startServer({ DATABASE_URL });

    await withPage(async (page) => {
      const visible = () =>
        page.evaluate<string[]>(`[...document.querySelectorAll("h1")]
        .filter((heading) => heading.checkVisibility()).map((heading) => heading.innerText)`);
      const address = await setUpByForm(page, server);
      expect(await page.evaluate<string>(FOCUSED)).toBe("Home");

      await page.goto(`${address}/settings/security`);
      await page.shows("This device");
      await page.press("Change e-mail address");
      await page.fill("New e-mail address", "grace@example.org");
      await page.fill("Current password", OWNER.password);
      await expectAccessible(page);
      await page.until(`(document.querySelector("details[open] button").click(), true)`);
      await page.shows("E-mail address changed.");
      await page.shows("grace@example.org");

      await page.until(personButton("grace@example.org"));
      await signOut(page);
      await page.shows("Forgot your password?");
      expect(await visible()).toEqual(["Sign in"]);
      expect(await page.evaluate<string>(FOCUSED)).toBe("E-mail address");
      await page.press("Forgot your password?");
      await page.shows("freehold owner reset");
      await expectAccessible(page);

      const { port } = new URL(server.url);
      const { stdout } = await runServer(
        { DATABASE_URL, PORT: port },
        { args: ["owner", "reset"] },
      );
      const [, code = ""] = stdout.trim().split("#reset=");
      await page.evaluate(`location.hash = "reset=${code}"`);
      await page.shows("Choose a new password");
      expect(await page.evaluate<string>("location.hash + '|' + history.length")).not.toContain(
        code,
      );
      await page.fill("E-mail address", "grace@example.org");
      await page.fill("New password", "a longer horse battery");
      await page.press("Save and sign in");
      await page.until(personButton());
      expect([await visible(), await page.evaluate<string>(FOCUSED)]).toEqual([
        ["Security"],
        "Security",
      ]);
      expect(page.complaints).toEqual([]);
    });
  });
});
