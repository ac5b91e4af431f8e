import { fromBufferPromise, type Entry } from "yauzl";
import { isDomainLike } from "../values/cell-shapes.ts";
import { ImportError } from "./import-error.ts";
import { readCellFormats, readRows } from "./workbook-sheet.ts";
import { createPartReader, TextCollector, tooLarge, type XmlEvents } from "./workbook-xml.ts";

/** Characters of the texts that cells share, with a few more for each text. */
const MAX_SHARED_LENGTH = 32 * 1024 * 1024;
/** Parts of the archive: a workbook has one for each sheet and picture, and each takes 2 KB. */
const MAX_PARTS = 10_000;
/** Rows by which a sheet of domains is told from a cover. */
const SAMPLE_ROWS = 100;

/**
 * The rows of the first visible sheet with a column of domain names in an Excel workbook (ECMA-376);
 * else those of the first sheet. Only the current rows and the shared texts are in memory.
 *
 * @throws {ImportError} `workbook` where it is encrypted, damaged or too large; `too-many-columns`.
 */
export async function* readWorkbook(file: Buffer): AsyncGenerator<string[]> {
  try {
    const { sheets, rowsOf } = await openWorkbook(file);
    for (const sheet of sheets) {
      const rows: string[][] = [];
      for await (const row of rowsOf(sheet)) {
        if (rows.push(row) === SAMPLE_ROWS) break;
      }
      if (!hasNames(rows)) continue;
      yield* rowsOf(sheet);
      return;
    }
    yield* rowsOf(sheets[0] ?? "");
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const detail = "This workbook is damaged. Save it again, or save the sheet as CSV.";
    throw new ImportError("workbook", detail);
  }
}

async function openWorkbook(file: Buffer) {
  const zip = await fromBufferPromise(file);
  if (zip.entryCount > MAX_PARTS) throw tooLarge();
  const parts = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName, entry);
  if (!parts.has("xl/workbook.xml")) {
    const detail = "This is not an Excel workbook. Save the sheet as .xlsx or CSV.";
    throw new ImportError("workbook", detail);
  }
  const read = createPartReader(zip, parts);

  const pathById = new Map<string, string>();
  for await (const events of read("xl/_rels/workbook.xml.rels")) {
    for (const { attributes } of events) {
      const { Id: id = "", Target: target = "" } = attributes;
      pathById.set(id, target.startsWith("/") ? target.slice(1) : `xl/${target}`);
    }
  }
  const sheets: string[] = [];
  let isFrom1904 = false;
  for await (const events of read("xl/workbook.xml")) {
    for (const { kind, name, attributes } of events) {
      if (kind !== "open") continue;
      if (name === "workbookPr") isFrom1904 = /^(?:1|true)$/.test(attributes["date1904"] ?? "");
      if (name !== "sheet" || (attributes["state"] ?? "visible") !== "visible") continue;
      const [, id = ""] = Object.entries(attributes).find(([key]) => key.endsWith(":id")) ?? [];
      sheets.push(pathById.get(id) ?? "");
    }
  }
  const texts = await readTexts(read("xl/sharedStrings.xml", "large"));
  const formats = await readCellFormats(read("xl/styles.xml"));
  const context = { texts, formats, isFrom1904 };
  return { sheets, rowsOf: (sheet: string) => readRows(read(sheet, "large"), context) };
}

/** Whether half of the cells of a column, below its header, look like domain names. */
function hasNames(rows: readonly string[][]): boolean {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_, index) => index).some((index) => {
    const cells = rows.map((row) => row[index] ?? "").filter((cell) => cell !== "");
    return cells.filter(isDomainLike).length * 2 > cells.length - 1;
  });
}

async function readTexts(strings: XmlEvents): Promise<string[]> {
  const texts: string[] = [];
  const collector = new TextCollector();
  let length = 0;
  for await (const events of strings) {
    for (const event of events) {
      collector.add(event);
      if (event.kind !== "close" || event.name !== "si") continue;
      const text = collector.take();
      texts.push(text);
      length += text.length + 8;
      if (length > MAX_SHARED_LENGTH) throw tooLarge();
    }
  }
  return texts;
}
