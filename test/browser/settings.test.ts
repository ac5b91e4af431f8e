import { expect, test } from "bun:test";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, type Page } from "../support/chromium.ts";
import { enter } from "../support/enter.ts";
import { openRegister } from "../support/owner.ts";

const OPEN_DIALOG = "document.querySelector('dialog[open]')";

/** Chooses the option that is so many below in the list with this label, by its keys. */
async function stepDown(page: Page, label: string, steps: number) {
  const labels = "[...document.querySelectorAll('label')]";
  await page.until(
    `(${labels}.find((e) => e.innerText === ${JSON.stringify(label)})?.control.focus(), true)`,
  );
  for (let step = 0; step < steps; step += 1) await page.view.press("ArrowDown");
}

describeInChromium("settings, registrars and costs", () => {
  test("a person sets a currency, fills prices, merges registrars and reads the costs", async () => {
    await using register = await openRegister(60);
    const { page, address } = register;

    await page.goto(`${address}/settings`);
    await page.fill("Lead time (days)", "0");
    await page.fill("Main currency", "eur");
    await page.fill("1 USD in EUR", "0,5");
    await page.fill("Another currency", "gbp");
    await page.fill("1 GBP in EUR", "1.15");
    await page.press("Save");
    await page.shows("Enter a whole number of days from 1 to 365.");
    await page.until("document.activeElement.ariaInvalid === 'true'");
    await expectAccessible(page);
    await page.fill("Lead time (days)", "30");
    await page.press("Save");
    await page.shows("Settings saved.");
    await stepDown(page, "Theme", 2);
    await page.until("getComputedStyle(document.documentElement).colorScheme === 'dark'");
    await expectAccessible(page);

    await page.goto(`${address}/registrars`);
    await page.shows("2 without a price");
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await page.evaluate("history.pushState(null, '', '/registrars')");
    await page.press("Price list of Gandi");
    await page.shows("2 domains have no price; this list covers none of them yet.");
    await page.fill("Prices", "example 12");
    await page.evaluate("history.back()");
    await page.shows("Discard your changes?");
    await page.press("Keep editing");
    await page.shows("this list covers 2 of them.");
    await page.fill("Currency", "x");
    await expectAccessible(page);
    await page.press("Save prices");
    await page.shows("Fix or remove the lines below; check the currency.");
    await page.fill("Currency", "EUR");
    await page.press("Save prices");
    await page.until(`!${OPEN_DIALOG}`);
    await page.shows("1 list price");

    await page.press("Edit GoDaddy");
    await page.fill("Name", "gandi");
    await page.shows("and takes over any that are missing");
    await expectAccessible(page);
    await page.press("Merge into Gandi");
    await page.shows("12 domains moved to Gandi.");

    await enter(page, address, "/costs");
    await page.shows("in all, at your exchange rates");
    await page.shows("come up for renewal without a price");
    await stepDown(page, "Group by", 1);
    await page.until("document.querySelectorAll('tbody tr').length > 5");
    await page.until("location.search.includes('group=registrar')");
    await expectAccessible(page);
    // The currency "x", which the server refused.
    expect(page.complaints).toEqual([expect.stringContaining("400 (Bad Request)")]);
  });
});
