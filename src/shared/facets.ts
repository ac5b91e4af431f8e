import { facetOf, LABEL_FIELDS, recordOf } from "./fields.ts";
import * as p from "./parse.ts";

export type Facet = p.Parsed<typeof parseFacet>;

const parseFacet = p.object({ value: p.text, names: p.number });

/** Values of one kind that the filter menu offers; others are typed. */
export const MAX_FACETS = 500;

/**
 * `GET /api/facets?today=YYYY-MM-DD`: every value in use, most used first, the first `MAX_FACETS`; `-` for none.
 * `known`: registrars that no domain is at. `quick` counts what each of `QUICK_FILTERS` finds, by its name.
 */
export type Facets = p.Parsed<typeof parseFacets>;

export const parseFacets = p.object({
  ...recordOf(LABEL_FIELDS.map(facetOf), () => p.list(parseFacet)),
  tags: p.list(parseFacet),
  tlds: p.list(parseFacet),
  decisions: p.list(parseFacet),
  autoRenew: p.list(parseFacet),
  statuses: p.orElse(p.list(parseFacet), []),
  currencies: p.list(parseFacet),
  custom: p.orElse(p.list(parseFacet), []),
  known: p.orElse(p.list(parseFacet), []),
  quick: p.list(parseFacet),
});

/** What some domains cost per year in one currency; null: the sources named none. */
const parseYearlyCost = p.object({
  currency: p.nullable(p.text),
  minor: p.number,
  names: p.number,
});

/** `GET /api/domains/cost?<filter>`: most domains first; `unpriced` domains have no price. */
export type YearlyCosts = p.Parsed<typeof parseYearlyCosts>;

export const parseYearlyCosts = p.object({ costs: p.list(parseYearlyCost), unpriced: p.number });
