import { facetOf, LABEL_FIELDS, recordOf } from "./fields.ts";
import { list, nullable, number, object, orElse, type Parsed, text } from "./parse.ts";

export type Facet = Parsed<typeof parseFacet>;

const parseFacet = object({ value: text, names: number });

/**
 * `GET /api/facets?today=YYYY-MM-DD`: every value in use, most used first, at most 500 each; `-` for none.
 * `known`: registrars that no domain is at. `quick` counts what each of `QUICK_FILTERS` finds, by its name.
 */
export type Facets = Parsed<typeof parseFacets>;

export const parseFacets = object({
  ...recordOf(LABEL_FIELDS.map(facetOf), () => list(parseFacet)),
  tags: list(parseFacet),
  tlds: list(parseFacet),
  decisions: list(parseFacet),
  autoRenew: list(parseFacet),
  statuses: orElse(list(parseFacet), []),
  currencies: list(parseFacet),
  custom: orElse(list(parseFacet), []),
  known: orElse(list(parseFacet), []),
  quick: list(parseFacet),
});

/** What some domains cost per year in one currency; null: the sources named none. */
const parseYearlyCost = object({ currency: nullable(text), minor: number, names: number });

/** `GET /api/domains/cost?<filter>`: most domains first; `unpriced` domains have no price. */
export type YearlyCosts = Parsed<typeof parseYearlyCosts>;

export const parseYearlyCosts = object({ costs: list(parseYearlyCost), unpriced: number });
