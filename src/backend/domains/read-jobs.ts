import { listFacets } from "./list/facets.ts";
import { listDomains } from "./list/list-domains.ts";
import { listChangedAt } from "./last-changes.ts";
import { listRecentChanges } from "./recent-changes.ts";
import { sumYearlyCost, summarise } from "./overview.ts";

// The reads of the register that take longer the more domains there are, as jobs for `readMany`.

export const readPage = { name: "list domains", run: listDomains };
export const readSummary = { name: "summarise", run: summarise };
export const readFacets = { name: "list facets", run: listFacets };
export const readYearlyCost = { name: "sum yearly cost", run: sumYearlyCost };
export const readChangedAt = { name: "list what was changed", run: listChangedAt };
export const readChanges = { name: "list changes", run: listRecentChanges };
