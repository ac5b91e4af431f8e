import type { Day } from "../../shared/day.ts";
import type { DomainPage } from "../../shared/domain.ts";
import type { BinPage } from "../../shared/operations.ts";
import type { Facets, Summary, YearlyCosts } from "../../shared/register.ts";
import type { Conflicts } from "../../shared/settling.ts";
import type { Job } from "../database/database.ts";
import { listBin } from "./bin.ts";
import { listConflicts } from "./bulk.ts";
import { listFacets } from "./facets.ts";
import type { ParsedSelection } from "./input.ts";
import { type DatedView, listDomains, type ListQuery } from "./list-domains.ts";
import { sumYearlyCost, summarise } from "./overview.ts";

// The reads of the register that take longer the more domains there are, as jobs for `readMany`.

export const readPage: Job<ListQuery, DomainPage> = { name: "list domains", run: listDomains };

export const readSummary: Job<
  { today: Day; person: string; me: string },
  Omit<Summary, "checks" | "reminders" | "accounts">
> = { name: "summarise", run: summarise };

export const readFacets: Job<null, Facets> = { name: "list facets", run: listFacets };

export const readYearlyCost: Job<Pick<DatedView, "filter" | "today">, YearlyCosts> = {
  name: "sum yearly cost",
  run: sumYearlyCost,
};

export const readConflicts: Job<ParsedSelection, Conflicts> = {
  name: "list conflicts",
  run: (sql, selection) => listConflicts(sql, selection),
};

export const readBin: Job<{ limit: number; after: string | null }, BinPage> = {
  name: "list the bin",
  run: listBin,
};
