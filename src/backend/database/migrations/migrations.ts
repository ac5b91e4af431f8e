import type { Migration } from "./migration.ts";
import { register } from "./0001-register.ts";
import { imports } from "./0002-imports.ts";
import { registerFilters } from "./0003-register-filters.ts";
import { changedFieldsOfImports } from "./0004-changed-fields.ts";
import { unfinishedImports } from "./0005-unfinished-imports.ts";
import { indexesAsTheyAre } from "./0006-indexes-as-they-are.ts";
import { listIndex } from "./0007-list-index.ts";
import { sessionList } from "./0008-session-list.ts";

/** Every step, oldest first. Modules, not .sql files, so that one executable can hold them. */
export const MIGRATIONS: readonly Migration[] = [
  register,
  imports,
  registerFilters,
  changedFieldsOfImports,
  unfinishedImports,
  indexesAsTheyAre,
  listIndex,
  sessionList,
];
