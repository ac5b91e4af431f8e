import { expect, test } from "bun:test";
import { addDays } from "../../src/shared/day.ts";
import { describeInChromium, withPage } from "../support/chromium.ts";
import { enter } from "../support/enter.ts";
import { formatShortDay } from "../../src/client/ui/format.ts";
import { openRegister, shareSession, startRegister } from "../support/owner.ts";

/** The furthest places from UTC, where the day is mostly another one than the server's. */
const PLACES = ["Pacific/Pago_Pago", "Pacific/Kiritimati"];

/** The day of a place now, and the milliseconds until it ends. */
function dayIn(timeZone: string) {
  const now = Temporal.Now.zonedDateTimeISO(timeZone);
  const midnight = now.add({ days: 1 }).startOfDay();
  const left = midnight.epochMilliseconds - now.epochMilliseconds;
  return { day: now.toPlainDate().toString(), left };
}

/** A clock that goes before by `window.ahead` milliseconds. */
const aheadBy = (milliseconds: number) => `{
  window.ahead = ${milliseconds};
  const Real = Date;
  Date = class extends Real {
    constructor(...given) { given.length > 0 ? super(...given) : super(Date.now()); }
    static now() { return Real.now() + window.ahead; }
  };
}`;

const MINUTE_MS = 60_000;

describeInChromium("a browser", () => {
  test.each(PLACES)("has the day of its place, until midnight: %s", async (place) => {
    await using register = await startRegister(0);
    const { day, left } = dayIn(place);
    for (const days of [-1, 0, 1, 2]) {
      const json = { name: `in${days + 1}.example`, expires: addDays(day, days) };
      await register.client.json("/api/domains", { method: "POST", json });
    }
    const options = { before: aheadBy(left - 2 * MINUTE_MS) };
    await withPage(async (page) => {
      await page.view.cdp("Emulation.setTimezoneOverride", { timezoneId: place });
      await shareSession(page, register.client, register.address);
      const expects = async (...words: string[]) => {
        for (const [at, each] of words.entries()) {
          const date = formatShortDay(
            addDays(day, at - 1),
            addDays(day, words.indexOf("today") - 1),
          );
          await page.until(`document.querySelector("main").innerText.replace(/\\s+/g, " ")
          .includes(${JSON.stringify(`${date} ${each}`)})`);
        }
      };
      for (const path of ["domains?sort=expires", "home"]) {
        await page.goto(`${register.address}/${path}`);
        await expects("yesterday", "today", "tomorrow", "2 days");
        // The page is left open over midnight, and seen again in the morning.
        const tick = `ahead += ${4 * MINUTE_MS}, document.dispatchEvent(new Event("visibilitychange"))`;
        await page.evaluate(`void (${tick})`);
        await expects("2 days ago", "yesterday", "today", "tomorrow");
      }
    }, options);
  });

  test("shows an amount as it was sent, digits of a language apart, and every screen within its width", async () => {
    await using register = await openRegister(340);
    const { page } = register;
    // Chromium's Intl gives HUF no decimals, Bun's two.
    const renewal = { minor: 500_050, currency: "HUF", years: 1 };
    const json = { name: "forint.example", renewal };
    await register.client.json("/api/domains", { method: "POST", json });
    await page.goto(`${register.address}/domains/forint.example`);
    await page.until(`document.querySelector("main").innerText.includes("HUF\u00a05,000.50")`);

    await page.view.cdp("Emulation.setLocaleOverride", { locale: "ar_EG" });
    await page.goto(`${register.address}/costs`);
    await page.until("document.querySelector('.totals b')");
    const isFirst =
      "[...document.querySelectorAll('.totals b')].map((e) => e.getBoundingClientRect().left === e.parentElement.getBoundingClientRect().left)";
    expect(await page.evaluate<boolean[]>(isFirst)).toEqual([true, true]);
    expect(await page.evaluate("document.querySelector('main').innerText")).toMatch(/[٠-٩]/);
    for (const path of ["/home", "/domains", "/costs", "/registrars", "/changes"]) {
      await enter(page, register.address, path);
      await page.until(
        "document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]')",
      );
      for (const width of [360, 1280]) {
        await page.view.resize(width, 900);
        const over = "document.documentElement.scrollWidth - innerWidth";
        expect([path, width, (await page.evaluate<number>(over)) > 0]).toEqual([
          path,
          width,
          false,
        ]);
      }
    }
  });
});
