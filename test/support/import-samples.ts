import {
  NO_ROWS,
  type Import,
  type ImportColumn,
  type ImportRow,
} from "../../src/shared/import.ts";

export function columnOf(header: string | null, known: Partial<ImportColumn> = {}): ImportColumn {
  return { header, secret: false, field: "ignore", samples: [], dates: null, ...known };
}

export function importOf(known: Partial<Import> = {}): Import {
  return {
    id: "import-1",
    state: "preview",
    fileName: "names.csv",
    createdAt: "2026-11-21T03:00:00.000Z",
    committedAt: null,
    undoneAt: null,
    format: null,
    remembered: null,
    columns: [columnOf("Domain", { field: "name", samples: ["one.example", "two.example"] })],
    ambiguous: [],
    dateOrder: null,
    defaults: {},
    counts: { ...NO_ROWS, new: 2 },
    undo: null,
    ...known,
  };
}

export function rowOf(name: string | null, known: Partial<ImportRow> = {}): ImportRow {
  return {
    id: `row-${name ?? known.line}`,
    class: "new",
    line: 2,
    name,
    unicode: name,
    values: {},
    changes: [],
    problems: [],
    repeats: null,
    skipped: false,
    archived: false,
    ...known,
  };
}
