import { expect, test } from "bun:test";
import { join } from "node:path";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, withPage } from "../support/chromium.ts";
import { startDnsServer } from "../support/dns-server.ts";
import { enter } from "../support/enter.ts";
import { startFakeRegistry } from "../support/fake-registry.ts";
import { setUpOwner } from "../support/owner.ts";
import { startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

describeInChromium("live checks", () => {
  test("are agreed to on home, find a suspended domain, and check it again on demand", async () => {
    using folder = createTemporaryFolder();
    await using registry = startFakeRegistry();
    using dns = await startDnsServer(() => ({ rcode: 3 }));
    const expires = new Date(Date.now() + 300 * 86_400_000).toISOString();
    registry.names.set("held.com", { expires, status: ["client hold"], registrar: "Gandi" });
    registry.names.set("fine.com", { expires, registrar: "Gandi" });
    const sources = join(folder.path, "sources.json");
    await Bun.write(
      sources,
      JSON.stringify({ rdap: { com: registry.url }, intervals: { [registry.host]: 0 } }),
    );
    await using server = await startServer({
      CHECKS_SOURCES: sources,
      CHECKS_ALLOW: "127.0.0.0/8",
      DNS_SERVERS: `127.0.0.1:${dns.server.port}`,
    });

    await withPage(async (page) => {
      const address = await setUpOwner(page, server);
      await page.goto(`${address}/domains?add`);
      await page.fill("Domain name", "held.com");
      await page.press("Save and add another");
      await page.shows("Added held.com.");
      await page.fill("Domain name", "fine.com");
      await page.press("Add");
      await page.shows("Added fine.com.");

      await page.goto(`${address}/home`);
      // One notice at a time: that of reminders comes first.
      await page.press("Dismiss");
      await page.shows("They will see your domain names.");
      await expectAccessible(page);
      expect(registry.asked).toEqual([]);
      await page.press("Turn on live checks");
      await page.until("!document.body.innerText.includes('They will see your domain names')");

      await enter(page, address, "/checks");
      await page.shows("Live checks are on");
      await page.until(
        "document.querySelector('main td[data-label=\"Asked today\"]')?.innerText === '2'",
      );
      await expectAccessible(page);

      await page.goto(`${address}/home`);
      await page.shows("On hold · ask why");
      await page.goto(`${address}/domains`);
      await page.until(
        "[...document.querySelectorAll('tbody tr')].some((e) => /held.com[^]*On hold/.test(e.innerText))",
      );

      await enter(page, address, "/domains/held.com");
      await page.shows("Suspended by the registrar");
      await page.shows("client hold");
      await expectAccessible(page);
      registry.names.set("held.com", { expires, registrar: "Gandi" });
      await page.press("Check now");
      await page.until("!document.body.innerText.includes('Suspended by the registrar')");
      await page.shows("1 of 5 didn’t answer.");
    });
  });
});
