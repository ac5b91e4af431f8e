import { expect, test } from "bun:test";
import { addDays, utcToday } from "../../src/shared/day.ts";
import type { ApiClient } from "../support/api-client.ts";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, type Page } from "../support/chromium.ts";
import { addDomain } from "../support/domains.ts";
import { openRegister } from "../support/owner.ts";
import { textsInPdf } from "../support/pdf.ts";

const NAMES = 40;
/** Hexadecimal digits of a glyph, as Chromium prints it. */
const GLYPH = 4;
/** Inches. */
const PAPERS = { A4: [8.27, 11.69], Letter: [8.5, 11] } as const;

async function addClient(client: ApiClient): Promise<void> {
  for (let index = 0; index < NAMES; index += 1) {
    await addDomain(client, {
      name: `acme-${index}-${"long-".repeat(index % 4 === 0 ? 8 : 1)}name.example`,
      owner: "Acme Ltd",
      registrar: "Porkbun",
      expires: addDays(utcToday(), 70 + index),
      renewal: { minor: 1005, currency: "EUR" },
    });
  }
  const domain = { expires: addDays(utcToday(), 5), renewal: { minor: 1005, currency: "EUR" } };
  await addDomain(client, { name: "asked.example", owner: "Acme Ltd", ...domain });
  await addDomain(client, { name: "foreign.example", owner: "Other", ...domain });
}

/** The glyphs on each sheet of a page that is printed on paper of some size. */
async function printOn(page: Page, [paperWidth, paperHeight]: readonly [number, number]) {
  const paper = { paperWidth, paperHeight };
  const { data } = await page.view.cdp<{ data: string }>("Page.printToPDF", paper);
  return textsInPdf(Uint8Array.fromBase64(data))
    .filter((stream) => / Tf\b/.test(stream))
    .map((sheet) => sheet.match(/(?<=<)[\dA-F]+(?=>)/g)?.join("") ?? "");
}

describeInChromium("the statement", () => {
  test("is made of a list at a mark-up, and read, printed and saved alike", async () => {
    await using register = await openRegister(0);
    const { page, address, client } = register;
    await addClient(client);
    await page.goto(`${address}/domains?owner=Acme+Ltd`);
    await page.shows("asked.example");
    await page.press("Views");
    // By the element: the menu may still find its place, and a row lies under it.
    await page.until(`(() => {
      const link = [...document.querySelectorAll("a")].find((e) => e.innerText === "Statement");
      link?.click();
      return link;
    })()`);
    await page.until("document.title.startsWith('Statement · ')");
    await page.fill("Mark-up, per cent", "12.5");
    await page.until("location.search === '?owner=Acme+Ltd&markup=12.5'");
    // 41 prices of 11.31, each rounded by itself.
    await page.shows("€463.71");
    const lines = await page.evaluate<string[]>(
      "[...document.querySelectorAll('tbody tr')].map((row) => row.innerText.replaceAll('\\t', ' '))",
    );
    expect(lines[0]).toMatch(/^asked\.example .* Keep or drop\? €11\.31\s*$/);
    expect(lines.at(-1)).toMatch(/^Renewals in 12 months: 41\s+€463\.71\s*$/);
    expect(lines.join()).not.toContain("foreign.example");
    await expectAccessible(page);

    const saved = await page.evaluate<string>(
      "fetch(document.querySelector('main a[download]').href).then((file) => file.text())",
    );
    expect(saved.trimEnd().split("\r\n")).toHaveLength(lines.length + 1);
    expect(saved).toContain("\r\nRenewals in 12 months: 41,,,,463.71,EUR,\r\n");

    await page.view.cdp("Emulation.setEmulatedMedia", { media: "print" });
    const printed = await page.evaluate<string>("document.body.innerText");
    await page.view.cdp("Emulation.setEmulatedMedia", { media: "" });
    const [title = "", line = "", labels = ""] = printed.split(/\n+/);
    expect([title, line]).toEqual(["Statement", expect.stringMatching(/^Freehold · Acme Ltd · /)]);
    expect(labels.split(/\s+/)).toEqual(["Domain", "Expires", "Auto-renew", "Decision", "Price"]);
    expect(printed).toContain("€463.71");
    expect(printed).not.toMatch(/Mark-up|All rights|Costs/);
    for (const paper of Object.values(PAPERS)) {
      const sheets = await printOn(page, paper);
      expect(sheets.length).toBeGreaterThan(1);
      // Each sheet has that line and these labels at its top, below the title on the first.
      const head = sheets.at(-1)?.slice(0, GLYPH * (line + labels.replaceAll(/\s/g, "")).length);
      const tops = sheets.map((sheet) => sheet.indexOf(head ?? "none") / GLYPH);
      expect(tops).toEqual(sheets.map((_, at) => (at === 0 ? title.length : 0)));
    }
    for (const width of [360, 768]) {
      await page.view.resize(width, 800);
      await page.until("document.documentElement.scrollWidth <= innerWidth");
    }

    await page.press("Costs");
    await page.shows("Coming renewals");
    await page.press("Statement");
    await page.shows("foreign.example");
    await page.fill("Mark-up, per cent", "1000");
    await page.shows("per cent from 0 to 999.99");
    // The answer 400, which the browser complains about.
    expect(page.complaints.splice(0)).toHaveLength(1);
  }, 60_000);
});
