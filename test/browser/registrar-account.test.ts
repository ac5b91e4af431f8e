import { expect, test } from "bun:test";
import { join } from "node:path";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium } from "../support/chromium.ts";
import { answerDnsimple } from "../support/hostile-servers.ts";
import { openRegister } from "../support/owner.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const NAMES = ["alder", "birch", "cedar", "elm", "yew"].map((name) => `${name}.example`);

/** DNSimple, on a free port of the loopback, with one account of one token. */
const startDnsimple = () =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url, headers }) =>
      headers.get("authorization") === "Bearer right"
        ? answerDnsimple(url, NAMES, "2031-05-04T10:00:00Z")
        : Response.json({ message: "Authentication failed" }, { status: 401 }),
  });

describeInChromium("registrar accounts", () => {
  test("an owner connects DNSimple, adds four of five names, and keeps one out", async () => {
    await using dnsimple = startDnsimple();
    using folder = createTemporaryFolder();
    const file = join(folder.path, "apis.json");
    await Bun.write(
      file,
      JSON.stringify({ dnsimple: { origin: dnsimple.url.origin, intervalMs: 0 } }),
    );
    const env = { REGISTRAR_APIS: file, OUTBOUND_ALLOW: "127.0.0.1/32" };
    await using register = await openRegister(0, env);
    const { page, address } = register;

    await page.goto(`${address}/home`);
    await page.press("Connect a registrar");
    await page.until("document.querySelector('main select')");
    await page.evaluate("document.querySelector('main select').focus()");
    for (let step = 0; step < 3; step += 1) await page.view.press("ArrowDown");
    await page.shows("scoped tokens");
    await page.fill("Access token", "wrong");
    await page.press("Test and save");
    await page.shows("DNSimple says: “Authentication failed”");
    await expectAccessible(page);
    await page.fill("Access token", "right");
    await page.press("Test and save");

    await page.shows("Add all 5");
    await page.until("document.title.startsWith('DNSimple · ')");
    await page.until("document.querySelectorAll('tbody input').length === 5");
    await page.evaluate("document.querySelector('tbody tr:last-child input').click()");
    await page.press("Not ours");
    await page.shows("won’t be offered again");
    await page.press("Add all 4");
    await page.shows("4 domains added.");
    await page.until(
      "[...document.querySelectorAll('main a')].some((e) => e.textContent === 'Not kept here 1')",
    );
    // What is done leads nowhere else.
    await page.until("document.activeElement.matches('h1')");
    await page.press("Listed 5");
    await page.shows("All names of the last complete list.");
    await expectAccessible(page);

    await page.press("Registrars");
    await page.shows("4 without a price");
    await page.press("DNSimple");
    await page.press("Domains of this account");
    await page.press("alder.example");
    await page.shows("DNSimple account · ");
    // The token that was refused.
    expect(page.complaints).toEqual([expect.stringContaining("422")]);
  });
});
