import { expect, test } from "bun:test";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium } from "../support/chromium.ts";
import { enter } from "../support/enter.ts";
import { openRegister } from "../support/owner.ts";

describeInChromium("reminders", () => {
  test("go to a webhook that is tested, and are put off on home and on a domain's page", async () => {
    const tests: string[] = [];
    await using receiver = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        tests.push(await request.text());
        return new Response("heard you");
      },
    });
    await using register = await openRegister(40, { OUTBOUND_ALLOW: "127.0.0.0/8" });
    const { page, address } = register;

    await page.goto(`${address}/home`);
    await page.shows("No one gets a reminder before a domain expires.");
    await page.press("Set up reminders");
    await page.shows("No one gets reminders yet");
    await expectAccessible(page);
    await page.press("More");
    await page.press("Webhook");
    await page.fill("URL", `http://127.0.0.1:${receiver.port}/hook`);
    await expectAccessible(page);
    await page.press("Add");
    await page.until("document.querySelector('dialog input')?.value.startsWith('whsec_')");
    await expectAccessible(page);
    await page.press("Done");
    await page.press("Send a test");
    await page.shows("Sent: 200 heard you");
    // What is due may be told before.
    expect(tests.map((each) => JSON.parse(each).type)).toContain("channel.test");
    await expectAccessible(page);

    await enter(page, address, "/home");
    await page.press("More for name-00015.example");
    await page.press("Remind me later…");
    await page.shows("Reminders for name-00015.example");
    await expectAccessible(page);
    await page.press("No more reminders");
    await page.shows(
      "You acknowledged name-00015.example: no reminders until the day before expiry.",
    );
    await page.until(
      "document.querySelector('[href$=\"/name-00015.example\"]')?.closest('li').textContent.includes('Acknowledged')",
    );

    await enter(page, address, "/domains/name-00021.example");
    await page.press("More for name-00021.example");
    await page.press("Remind me later…");
    await page.press("Snooze");
    await page.shows("by ada@example.com");
    expect(page.complaints).toEqual([]);
  });
});
