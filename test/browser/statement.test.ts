import { expect, test } from "bun:test";
import { inflateSync } from "node:zlib";
import { addDays, utcToday } from "../../src/shared/day.ts";
import type { ApiClient } from "../support/api-client.ts";
import { expectAccessible } from "../support/axe.ts";
import { describeInChromium, type Page } from "../support/chromium.ts";
import { addDomain } from "../support/domains.ts";
import { openRegister } from "../support/owner.ts";

const NAMES = 40;
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

/** Prints a page on paper of some size; the text of each sheet. */
async function printOn(page: Page, [paperWidth, paperHeight]: readonly [number, number]) {
  const paper = { paperWidth, paperHeight };
  const { data } = await page.view.cdp<{ data: string }>("Page.printToPDF", paper);
  return readPdfPages(Buffer.from(data, "base64"));
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

    for (const paper of Object.values(PAPERS)) {
      const sheets = await printOn(page, paper);
      expect(sheets.length).toBeGreaterThan(1);
      for (const sheet of sheets) {
        expect(sheet).toMatch(
          /^(?:Statement)?Freehold · Acme Ltd · .*DomainExpiresAuto-renewDecisionPrice/,
        );
      }
      expect(sheets.join("")).toContain("€463.71");
      expect(sheets.join("")).not.toMatch(/Mark-up|All rights|Costs/);
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

/**
 * The text of each page of a PDF as Chromium prints it: fonts with two-byte glyphs and a table of the
 * characters that they stand for.
 */
function readPdfPages(bytes: Buffer): string[] {
  const objects = new Map<string, string>();
  const text = bytes.toString("latin1");
  for (const [, id = "", body = ""] of text.matchAll(/^(\d+) 0 obj\r?\n([\s\S]*?)\r?\nendobj/gm)) {
    objects.set(id, body);
  }
  const streamOf = (id = "") => {
    const body = objects.get(id) ?? "";
    const [, stream = ""] = /stream\r?\n([\s\S]*?)\r?\nendstream/.exec(body) ?? [];
    const raw = Buffer.from(stream, "latin1");
    return body.includes("/FlateDecode") ? inflateSync(raw).toString("latin1") : stream;
  };
  const referenceIn = (body: string, name: string) =>
    new RegExp(`/${name} \\[?(\\d+) 0 R`).exec(body)?.[1];
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\b(?!s)/.test(body));
  return pages.map((page) => {
    const fonts = new Map(
      [...page.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = "", id = ""]) => {
        const table = referenceIn(objects.get(id) ?? "", "ToUnicode");
        return [name, readCharacters(streamOf(table))];
      }),
    );
    let font: ReadonlyMap<number, string> = new Map();
    const shown: string[] = [];
    const content = streamOf(referenceIn(page, "Contents"));
    for (const [, name, glyphs] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([\dA-F]+)>/g)) {
      if (name !== undefined) font = fonts.get(name) ?? font;
      for (const [code] of glyphs?.matchAll(/.{4}/g) ?? []) {
        shown.push(font.get(Number.parseInt(code, 16)) ?? "");
      }
    }
    return shown.join("");
  });
}

/** What each glyph stands for, by a `ToUnicode` table. */
function readCharacters(table: string): Map<number, string> {
  const found = new Map<number, string>();
  const hex = (digits = "") => Number.parseInt(digits, 16);
  for (const [, block = ""] of table.matchAll(/beginbfchar\n([\s\S]*?)endbfchar/g)) {
    for (const [, glyph, character] of block.matchAll(/<(\w+)> <(\w+)>/g)) {
      found.set(hex(glyph), String.fromCodePoint(hex(character)));
    }
  }
  for (const [, block = ""] of table.matchAll(/beginbfrange\n([\s\S]*?)endbfrange/g)) {
    for (const [, first, last, character] of block.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
      for (let glyph = hex(first); glyph <= hex(last); glyph += 1) {
        found.set(glyph, String.fromCodePoint(hex(character) + glyph - hex(first)));
      }
    }
  }
  return found;
}
