import type { Import } from "./import.ts";

// Names by their former module; each importer moves to the module itself.
export type { ImportField } from "./fields.ts";
export type {
  DateOrder,
  Import,
  ImportColumn,
  ImportCounts,
  ImportDefaults,
  ImportInput,
  ImportQuestion,
  ImportRow,
  ImportRowPage,
  ImportUndo,
  ImportValues,
  RowClass,
} from "./import.ts";

/** `GET /api/imports`: newest first, the latest 50. */
export interface ImportList {
  items: Import[];
}
