import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createApiClient } from "../support/api-client.ts";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, type Page, withPage } from "../support/chromium.ts";
import { faultsOf, fillLook, LOOK_ENDINGS, SCHEMES } from "../support/look.ts";
import { addressOf, shareSession } from "../support/owner.ts";
import { seedRegister } from "../support/seed-register.ts";
import { startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const dayFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** The label of the control that has the focus. */
const focused = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText",
  );

const focus = (page: Page, name: string) =>
  page.evaluate(
    `[...document.querySelectorAll(".work a")].find((a) => a.innerText === "${name}").focus()`,
  );

/** Waits for what the first heading says. */
const says = (page: Page, answer: string) =>
  page.until(`document.querySelector("h1").textContent.startsWith("${answer}")`);

/** Whether a row says that this is to be done. */
const DOES = (what: string) =>
  `[...document.querySelectorAll(".todo")].some((e) => e.innerText === ${JSON.stringify(what)})`;

/** Leaves nothing to do: what is ahead renews by itself, and the rest is dropped. */
function clearAll(file: string) {
  using database = new Database(file);
  database.run("pragma busy_timeout = 5000");
  database.run(`update domains set status = null, status_key = null, auto_renew = 1,
    decision = case when expires_earliest >= date('now') then 'keep' else 'drop' end`);
  database.run("update domains set auto_renew = 0 where decision = 'drop'");
}

describeInChromium("home", () => {
  test("is worked through by keyboard until all is clear, and leads on by the palette", async () => {
    using folder = createTemporaryFolder();
    await using server = await startServer({
      DATABASE_URL: `sqlite://${join(folder.path, "register.sqlite")}`,
    });
    const client = createApiClient(server.url);
    await client.setUp(server.setUpCode());
    for (const domain of [
      { name: "card-failed.example", expires: dayFromNow(-3), autoRenew: true, decision: "keep" },
      { name: "first.example", expires: dayFromNow(3), autoRenew: false },
      { name: "second.example", expires: dayFromNow(20), autoRenew: false },
      { name: "third.example", expires: dayFromNow(40), autoRenew: false },
      { name: "charged.example", expires: dayFromNow(50), autoRenew: true, decision: "drop" },
      { name: "later.example", expires: dayFromNow(200) },
      { name: "safe.example", expires: dayFromNow(10), autoRenew: true },
    ]) {
      expect((await client.request("/api/domains", { method: "POST", json: domain })).status).toBe(
        201,
      );
    }

    await withPage(async (page) => {
      const url = addressOf(server);
      await page.goto("about:blank");
      await shareSession(page, client, url);
      await page.goto(`${url}/home`);
      await page.shows("Check the payment");
      await says(page, "1 domain needs you this week");
      await page.shows("Next 12 months");
      await expectAccessible(page, "target-size");
      await page.view.resize(320, 640);
      await expectAccessible(page, "target-size");
      await page.view.resize(1280, 800);
      // A print shows no navigation and nothing to press.
      await page.view.cdp("Emulation.setEmulatedMedia", { media: "print" });
      const pressable = `[...document.querySelectorAll("nav, main button")]`;
      await page.until(`${pressable}.length > 1 && !${pressable}.some((e) => e.checkVisibility())`);
      await page.view.cdp("Emulation.setEmulatedMedia", { media: "" });

      // The row leaves, the next one has the focus, and nothing scrolls.
      await focus(page, "first.example");
      const before = await page.evaluate<number>("scrollY");
      await page.view.press("y");
      await page.shows("first.example: Keep.");
      expect(await focused(page)).toBe("second.example");
      expect(await page.evaluate<number>("scrollY")).toBe(before);
      await page.until(DOES("Renew"));
      await page.press("Undo");
      await page.until(`!${DOES("Renew")}`);
      for (const [key, name] of [
        ["y", "first"],
        ["t", "second"],
        ["d", "third"],
      ] as const) {
        await focus(page, `${name}.example`);
        await page.view.press(key);
      }
      await page.until(`!${DOES("Keep or drop?")}`);
      await page.shows("Start the transfer");

      await page.press("Renewed card-failed.example");
      await page.shows("New expiry date");
      await expectAccessible(page);
      await page.press("Save");
      await page.shows("card-failed.example now expires on");
      await page.press("Renewed first.example");
      await page.press("Wait for the next import");
      await page.shows("first.example is done.");
      await focus(page, "second.example");
      await page.view.press("x");
      await page.press("Save");
      await page.shows("second.example now expires on");
      await focus(page, "charged.example");
      await page.view.press("x");
      await says(page, "All clear until");
      await page.shows("Auto-renew is off for charged.example.");
      expect(await focused(page)).toStartWith("All clear until");
      await page.shows("1 domain renews by itself before.");
      await expectAccessible(page);

      await page.view.press("k", { modifiers: ["Control"] });
      await page.until("document.activeElement.role === 'combobox'");
      await page.view.type("later");
      await page.until(
        "document.querySelector('[role=option]')?.innerText.includes('later.example')",
      );
      await expectAccessible(page);
      await page.view.press("Enter");
      await page.until("location.pathname === '/domains/later.example'");
      await page.until("!document.querySelector('dialog')");
      await page.view.press("k", { modifiers: ["Control"] });
      await page.until("document.activeElement.role === 'combobox'");
      await page.view.press("Escape");
      await page.until("!document.querySelector('dialog')");
    });
  });

  test("shows each name whole, in rows of one height, at every width", async () => {
    using folder = createTemporaryFolder();
    const file = join(folder.path, "register.sqlite");
    await using server = await startServer({ DATABASE_URL: `sqlite://${file}` });
    const client = createApiClient(server.url);
    await client.setUp(server.setUpCode());
    seedRegister(file, 340);
    fillLook(file);
    for (const scheme of SCHEMES) {
      await withPage(
        async (page) => {
          await shareSession(page, client, addressOf(server));
          await page.goto(`${addressOf(server)}/home`);
          await page.shows("Next 12 months");
          await page.evaluate("document.querySelector('.job a').focus()");
          // As high as the page, so that each row lies in the window.
          expect(await faultsOf(page, LOOK_ENDINGS, { height: 4000 })).toEqual([]);
        },
        { media: { "prefers-color-scheme": scheme } },
      );
    }
    clearAll(file);
    await withPage(async (page) => {
      await shareSession(page, client, addressOf(server));
      await page.goto(`${addressOf(server)}/home`);
      await says(page, "All clear");
      await page.shows("Renewing by themselves");
      expect(await faultsOf(page, LOOK_ENDINGS, { height: 4000 })).toEqual([]);
    });
  });
});
