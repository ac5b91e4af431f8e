import { deflateRawSync } from "node:zlib";

/** A part of an archive; `bits` are its general purpose flags, of which 1 means encrypted. */
interface Part {
  name: string;
  content: string | Uint8Array;
  bits?: number;
}

/** Writes a ZIP archive (APPNOTE 4.3), so that a test can have any part in it. */
export function zipOf(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, bits = 0 } of parts) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(bits, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(Bun.hash.crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    files.push(Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), packed);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\u0000"), fields, place, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return new Uint8Array(
    Buffer.concat([...files, ...directory, Buffer.from("PK\u0005\u0006"), end]),
  );
}

/** A workbook whose only sheet has these XML rows; further parts take the place of others. */
export function workbookOf(rows: string, parts: Readonly<Record<string, string>> = {}) {
  const relation = (id: string, target: string) => `<Relationship Id="${id}" Target="${target}"/>`;
  const all = {
    "xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="A" r:id="r1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relation("r1", "worksheets/sheet1.xml")}</Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...parts,
  };
  return zipOf(Object.entries(all).map(([name, content]) => ({ name, content })));
}
