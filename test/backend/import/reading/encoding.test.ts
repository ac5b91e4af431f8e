import { describe, expect, test } from "bun:test";
import {
  EncodingDetector,
  type Encoding,
} from "../../../../src/backend/import/reading/encoding.ts";
import { fileOf, importAll, type ByteSource } from "../../../support/import-source.ts";
import { workbookOf } from "../../../support/zip.ts";

const TEXT = "Domain;Preis\r\nmünchen.example;12,50 €\r\n";

function utf16(text: string, littleEndian: boolean, mark: boolean): Uint8Array {
  const bytes = Buffer.from(mark ? `\ufeff${text}` : text, "utf16le");
  return littleEndian ? bytes : bytes.swap16();
}

type OneByte = "windows-1250" | "windows-1251" | "windows-1252" | "windows-1254" | "macintosh";

/** The text in an encoding of one byte for each character. */
function inOneByte(text: string, encoding: OneByte): Uint8Array {
  const all = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, at) => at));
  return Uint8Array.from(text, (each) => all.indexOf(each));
}

const FILES: [string, Encoding, Uint8Array][] = [
  ["UTF-8", "utf-8", new TextEncoder().encode(TEXT)],
  ["UTF-8 with a mark", "utf-8", new TextEncoder().encode(`\ufeff${TEXT}`)],
  ["UTF-16LE with a mark", "utf-16le", utf16(TEXT, true, true)],
  ["UTF-16LE without a mark", "utf-16le", utf16(TEXT, true, false)],
  ["UTF-16BE with a mark", "utf-16be", utf16(TEXT, false, true)],
  ["UTF-16BE without a mark", "utf-16be", utf16(TEXT, false, false)],
  ["windows-1252", "windows-1252", inOneByte(TEXT, "windows-1252")],
];

/** The encoding of a whole file, of which the detector first sees `headSize` bytes. */
async function detectEncoding(open: ByteSource, headSize = 4096): Promise<Encoding> {
  const bytes = Buffer.concat(await Array.fromAsync(open()));
  const detector = new EncodingDetector(bytes.subarray(0, headSize));
  detector.add(bytes.subarray(headSize));
  detector.end();
  return detector.encoding;
}

describe("EncodingDetector", () => {
  test.each(FILES)("knows %s, whatever the chunks", async (_, encoding, bytes) => {
    for (const size of [1, 3, 65_536]) {
      const open = fileOf(bytes, size);
      expect(await detectEncoding(open)).toBe(encoding);
      const { rows } = await importAll(open);
      expect(rows.map(({ name, values }) => [name?.name, values.renewal])).toEqual([
        ["xn--mnchen-3ya.example", { minor: 1250, currency: "EUR", years: null }],
      ]);
    }
  });

  test("knows Shift_JIS by its kana, and takes no accent for one", async () => {
    // ドメイン,メモ
    const head = [0x83, 0x68, 0x83, 0x81, 0x83, 0x43, 0x83, 0x93, 0x2c, 0x83, 0x81, 0x83, 0x82];
    const bytes = new Uint8Array([...head, ...Buffer.from("\na.example,"), 0x82, 0xb1, 0x0a]);
    for (const size of [1, 65_536]) {
      expect(await detectEncoding(fileOf(bytes, size))).toBe("shift_jis");
      const { rows } = await importAll(fileOf(bytes, size));
      expect(rows.map(({ name, values }) => [name?.name, values])).toEqual([
        ["a.example", { notes: "こ" }],
      ]);
    }
    const french = "Domaine;Notes\nécole.example;épée, été, ça, Œuvre «à» l’hôpital\n";
    expect(await detectEncoding(fileOf(inOneByte(french, "windows-1252")))).toBe("windows-1252");
  });

  test("decides by the whole file, not by its first part", async () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `a${index}.example\r\n`).join("");
    const text = `${names}münchen.example`;
    const western = fileOf(inOneByte(text, "windows-1252"));
    expect(await detectEncoding(western)).toBe("windows-1252");
    expect(await detectEncoding(fileOf(text))).toBe("utf-8");
    const { rows, opened } = await importAll(western);
    expect(rows.at(-1)?.name?.unicode).toBe("münchen.example");
    expect(opened).toBe(2);
  });

  test("keeps UTF-8 where one character is torn", async () => {
    const whole = new TextEncoder().encode("münchen.example\nköln.example\nzürich.example\ngenè");
    expect(await detectEncoding(fileOf(whole.subarray(0, -1)))).toBe("utf-8");
  });

  test.each([
    ["windows-1251", "пример.рф"],
    ["windows-1251", "shop.пример.com"],
    ["windows-1250", "łódź.pl"],
    ["windows-1250", "łan.pl"],
    ["windows-1250", "https://łan.pl/"],
    ["windows-1254", "yazılım.com"],
    ["macintosh", "köln.de"],
    ["macintosh", "straße.de"],
    // Its ñ is the ń of windows-1250.
    ["windows-1252", "españa.es"],
  ] as const)(
    "takes no name that other encodings read otherwise: %s, %s",
    async (encoding, name) => {
      const file = fileOf(inOneByte(`Domain,Expires\r\n${name},2027-05-06\r\n`, encoding));
      const { rows } = await importAll(file);
      const detail = expect.stringContaining("Save the file as UTF-8");
      expect(rows).toMatchObject([{ name: null, problems: [{ code: "invalid-name", detail }] }]);
      const sheet = `<row><c t="inlineStr"><is><t>${name}</t></is></c></row>`;
      for (const certain of [name, utf16(name, true, true), workbookOf(sheet)]) {
        const { rows: saved } = await importAll(fileOf(certain));
        expect(saved[0]?.name?.unicode).toBe(name.replace(/^https:|\//g, ""));
      }
    },
  );

  test.each(["windows-1250", "windows-1252"] as const)(
    "takes names that other encodings read alike, whatever its other texts are: %s",
    async (encoding) => {
      const names = ["müller.de", "STRAßE.de", "ávila.es", "josé.pt", "açai.pt", "a.example"];
      const text = `Domain,Notes\n${names.join(",€ Š\n")},\n`;
      const { rows } = await importAll(fileOf(inOneByte(text, encoding)));
      expect(rows.map(({ name }) => name?.unicode)).toEqual(
        names.map((each) => each.toLowerCase()),
      );
      expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
    },
  );

  test.each([
    ["a.example\u0000b.example", "binary-file"],
    ["\u0000".repeat(10_000), "binary-file"],
    [`${"a.example\n".repeat(1000)}\u0000`, "binary-file"],
    ["%PDF-1.7\n", "binary-file"],
    ["<!DOCTYPE html>\n<title>Sign in</title>", "html-page"],
    ["\ufeff\n<html><body>", "html-page"],
  ])("refuses %j as %s", async (content, code) => {
    const failure = detectEncoding(fileOf(content)).catch((error: unknown) => error);
    expect(await failure).toMatchObject({ extra: { errors: [{ code }] } });
  });
});
