import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { describeInChromium, type Page, withPage } from "../support/chromium.ts";
import { faultsOf, fillLook, LOOK_ENDINGS, SCHEMES, spaceOut } from "../support/look.ts";
import { shareSession, startRegister } from "../support/owner.ts";

/** Waits for what the first heading says. */
const says = (page: Page, answer: string) =>
  page.until(`document.querySelector("h1").textContent.startsWith("${answer}")`);

/** Leaves nothing to do: what is ahead renews by itself, and the rest is dropped. */
function clearAll(file: string) {
  using database = new Database(file);
  database.run("pragma busy_timeout = 5000");
  database.run(`update domains set status = null, status_key = null, auto_renew = 1,
    decision = case when expires_earliest >= date('now') then 'keep' else 'drop' end`);
  database.run("update domains set auto_renew = 0 where decision = 'drop'");
}

describeInChromium("home", () => {
  test("shows each name whole, in rows of one height, at every width", async () => {
    let file = "";
    await using register = await startRegister(340, {}, (seeded) => fillLook((file = seeded)));
    const { address, client } = register;
    for (const [scheme, widths] of Object.entries(SCHEMES)) {
      await withPage(
        async (page) => {
          await shareSession(page, client, address);
          await page.goto(`${address}/home`);
          await page.shows("Next 12 months");
          await page.evaluate("document.querySelector('.job a').focus()");
          // As high as the page, so that each row lies in the window.
          expect(await faultsOf(page, LOOK_ENDINGS, { height: 4000, widths })).toEqual([]);
          // A print shows no navigation and nothing to press.
          await page.view.cdp("Emulation.setEmulatedMedia", { media: "print" });
          const pressable = `[...document.querySelectorAll("nav, main button")]`;
          await page.until(
            `${pressable}.length > 1 && !${pressable}.some((e) => e.checkVisibility())`,
          );
          await page.view.cdp("Emulation.setEmulatedMedia", { media: "" });
          await page.view.resize(360, 900);
          await spaceOut(page);
          const cut = await page.evaluate<string[]>(`[...document.querySelectorAll(".todo")]
            .filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.innerText)`);
          expect(cut).toEqual([]);
        },
        { media: { "prefers-color-scheme": scheme } },
      );
    }
    clearAll(file);
    await withPage(async (page) => {
      await shareSession(page, client, address);
      await page.goto(`${address}/home`);
      await says(page, "All clear");
      await page.shows("Renewing by themselves");
      expect(await faultsOf(page, LOOK_ENDINGS, { height: 4000 })).toEqual([]);
    });
  });
});
