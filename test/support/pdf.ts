import { inflateSync } from "node:zlib";

/**
 * The text of each page of a PDF as Chromium prints it: fonts with two-byte glyphs and a table of the
 * characters that they stand for.
 */
export function readPdfPages(bytes: Buffer): string[] {
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
