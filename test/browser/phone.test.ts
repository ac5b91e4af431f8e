import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type ApiClient, createApiClient } from "../support/api-client.ts";
import { describeInChromium, Page } from "../support/chromium.ts";
import { previewOf } from "../support/import-client.ts";
import { addressOf } from "../support/owner.ts";
import { seedRegister } from "../support/seed-register.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const PHONE = { width: 360, height: 740, deviceScaleFactor: 1, mobile: true };
const SMALL_PHONE = { ...PHONE, width: 320, height: 640 };

describeInChromium("on a phone", () => {
  const folder = createTemporaryFolder();
  let server: ServerProcess;
  let client: ApiClient;
  let page: Page;

  beforeAll(async () => {
    const file = join(folder.path, "register.sqlite");
    server = await startServer({ DATABASE_URL: `sqlite://${file}` });
    client = createApiClient(server.url);
    await client.setUp(server.setUpCode());
    seedRegister(file, 60);
    page = await Page.open();
  }, 30_000);
  afterEach(() => expect(page.complaints).toEqual([]));
  afterAll(async () => {
    await page.close();
    await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  async function enter(path: string, phone = PHONE) {
    await page.view.cdp("Emulation.setDeviceMetricsOverride", phone);
    const url = addressOf(server);
    for (const [name, value] of client.cookies) {
      await page.view.cdp("Network.setCookie", { name, value, url });
    }
    await page.goto(url + path);
    await page.until(
      "document.querySelector('tbody tr th') && !document.querySelector('.skeleton')",
    );
  }

  test("a preview shows its first row without scrolling, whatever it has to say", async () => {
    const names = Array.from({ length: 9 }, (_, at) => `new-${at}.example,2027-05-05,Ada`);
    const bad = ["name-00008.example,soon,Ada", "no name,2027-05-05,Ada", names[0]];
    const { id } = await previewOf(client, ["Domain,Expires,Owner", ...names, ...bad].join("\n"));
    for (const phone of [PHONE, SMALL_PHONE]) {
      await enter(`/domains/import?id=${id}&step=preview`, phone);
      await page.shows("a value that could not be read");
      const [row = 0, foot = 0] = await page.evaluate<number[]>(`[
        document.querySelector("tbody tr").getBoundingClientRect().bottom,
        document.querySelector(".import-foot").getBoundingClientRect().top]`);
      expect(row).toBeLessThanOrEqual(foot);
    }
  });

  test("what can be done to the selected names takes two lines", async () => {
    for (const phone of [PHONE, SMALL_PHONE]) {
      await enter("/domains", phone);
      await page.view.click("tbody .pick input");
      await page.until("document.querySelector('.bulk-bar')");
      const lines = await page.evaluate<number>(`new Set(
        [...document.querySelectorAll(".bulk-bar button")].map((each) => each.offsetTop)).size`);
      expect(lines).toBe(2);
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect(width).toBe(phone.width);
    }
  });

  test("a column that is chosen stays on the card, and one that no card has is not offered", async () => {
    await enter("/domains");
    const card = () => page.evaluate<string>("document.querySelector('tbody tr').innerText");
    expect(await card()).toContain("Ada Lovelace");
    await page.press("Columns");
    const offered = await page.evaluate<string[]>(`
      [...document.querySelectorAll(".column-menu label")]
        .filter((label) => label.checkVisibility()).map((label) => label.innerText.trim())`);
    expect(offered).toEqual(["Registrar", "Account", "Owner", "Expiry date", "Auto-renew"]);
    await page.view.click(".column-menu .of-owner");
    await page.until("document.querySelector('tbody .of-owner')");
    expect(await card()).toContain("Ada Lovelace");
  });

  test("a name's card is filled, and as high as any other", async () => {
    await enter("/domains");
    const cards = await page.evaluate<{ height: number; gap: number; cut: boolean }[]>(`
      [...document.querySelectorAll("tbody tr:has(time)")].map((row) => ({
        height: row.offsetHeight,
        // From what is known of the day to what can be done.
        gap: row.querySelector(".actions").getBoundingClientRect().top -
          row.querySelector("time").getBoundingClientRect().bottom,
        cut: [...row.querySelectorAll(".of-expires > *, .of-autoRenew")]
          .some((part) => part.scrollWidth > part.clientWidth + 1),
      }))`);
    expect(new Set(cards.map(({ height }) => height)).size).toBe(1);
    expect(cards.filter(({ cut, gap }) => cut || gap < 0 || gap > 12)).toEqual([]);
    await page.shows("Conflicting dates");
  });
});
