// Names by their former module; each importer moves to the module itself.
export type {
  BulkOperation,
  BulkRequest,
  BulkResult,
  BulkSelection,
  Facet,
  Facets,
  MonthCost,
  Summary,
} from "./register.ts";
export type { Filter as DomainFilters } from "./view.ts";
