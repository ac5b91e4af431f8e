/** Files that cost a careless reader more than linear time, or a lot of memory, by what they try. */
export const HOSTILE_FILES: readonly [string, () => string | Uint8Array<ArrayBuffer>][] = [
  [
    "stray quotes before a long run of blanks",
    () => `Domain,Notes\nx.com,"${'"x'.repeat(48_000)}${" ".repeat(100_000)},\n`,
  ],
  ["stray quotes and blanks by turns", () => `Domain,Notes\nx.com,"${'"  x'.repeat(48_000)}\n`],
  ["nothing but quotes", () => `Domain,Notes\nx.com,${'"'.repeat(190_000)}\n`],
  ["quotes within quotes", () => `Domain,Notes\n${'x.com,"a ""b"" """"c"""""\n'.repeat(10_000)}`],
  ["blanks in every cell", () => rows(100, `x.com,${" ".repeat(10_000)}x${" ".repeat(10_000)}`)],
  ["a million columns", () => `x.com${",x".repeat(1_000_000)}\n`],
  ["90,000 columns again and again", () => `x.com${",x".repeat(90_000)}\n`.repeat(20)],
  ["a cell of 5 MB", () => `Domain,Notes\nx.com,"${"x".repeat(5_000_000)}"\n`],
  ["10 MB on one line", () => "x".repeat(10_000_000)],
  ["10 MB of blanks", () => " ".repeat(10_000_000)],
  ["no line break, many names", () => "a.example ".repeat(100_000)],
  ["a million line breaks", () => `a.example${"\n".repeat(1_000_000)}b.example\n`],
  ["half a million lone CRs", () => `a.example${"\r".repeat(500_000)}b.example\r`],
  ["NULs", () => new Uint8Array(2_000_000)],
  ["every byte", () => Uint8Array.from({ length: 2_000_000 }, (_, at) => (at * 7) % 255 || 1)],
  ["combining marks in a header", () => `Domain,${marks(30_000)}\nx.com,x\n`],
  ["combining marks in a cell", () => rows(5, `x.com,${marks(90_000)}`)],
  [
    "combining marks in a label",
    () => `Domain,Registrar,Tags\n${`x.com,${marks(40_000)},${marks(40_000)}\n`.repeat(5)}`,
  ],
  [
    "combining marks in a currency",
    () =>
      `Domain,Renewal price,Currency,Years\n${`x.com,1,${marks(80_000)},${marks(10_000)}\n`.repeat(5)}`,
  ],
  ["an address without an end", () => rows(20, `x.com,${"@.".repeat(50_000)} x`, "Domain,Foo")],
  [
    "500 columns of one name",
    () => `${Array(500).fill("Domain").join()}\n${`${"a.example,".repeat(500)}\n`.repeat(75)}`,
  ],
  [
    "500 columns of dates",
    () => `${Array(500).fill("Expires").join()}\n${`${"01/02/2027,".repeat(500)}\n`.repeat(50)}`,
  ],
  ["30 rows that may be headers", () => `${words(1000).join()}\n`.repeat(30) + "x.com,y\n"],
  [
    "many columns that may be parts of names",
    () =>
      `${"Domain,TLD,".repeat(8)}\n${`${`${"a-".repeat(31)},${"c".repeat(60)}.co,`.repeat(8)}\n`.repeat(200)}`,
  ],
  [
    "long parts of names",
    () => `SLD,TLD\na,com\n${`${"ü.".repeat(40_000)},${"ü".repeat(40_000)}\n`.repeat(5)}`,
  ],
  ["almost dates", () => rows(8000, `x.com,${"1 ".repeat(29)}`, "Domain,Expires")],
  ["almost prices", () => rows(8000, `x.com,${"1,1.".repeat(9)}`, "Domain,Price")],
  ["a hundred thousand tags", () => rows(10, `x.com,"${"x,".repeat(90_000)}"`, "Domain,Tags")],
  ["long notes", () => rows(500, `x$.com,${"n".repeat(9_990)}`, "Domain,Notes")],
  [
    "our own export with apostrophes",
    () =>
      `Name,Unicode,Expires,Expiry source,Auto-renew,Renewal currency,Tags,Notes\r\n${`x.com,,,,,,${"'".repeat(90_000)},${"'".repeat(90_000)}\r\n`.repeat(10)}`,
  ],
];

function rows(count: number, row: string, header = "Domain,Notes"): string {
  const lines = Array.from({ length: count }, (_, at) => row.replace("$", String(at)));
  return `${header}\n${lines.join("\n")}\n`;
}

function marks(count: number): string {
  return `a${"\u0301\u0316".repeat(count)}`;
}

function words(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `q${at.toString(36)}`);
}
