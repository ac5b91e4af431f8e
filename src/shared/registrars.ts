import * as p from "./parse.ts";

/** What a registrar takes for a renewal under one TLD, for a number of years. */
export type ListPrice = p.Parsed<typeof parseListPrice>;

const parseListPrice = p.object({
  tld: p.text,
  minor: p.integer(0, Number.MAX_SAFE_INTEGER),
  /** ISO 4217. */
  currency: p.text,
  years: p.number,
});

export type Registrar = p.Parsed<typeof parseRegistrar>;

const parseRegistrar = p.object({
  /** Its name folded, which stands in its address. */
  key: p.text,
  name: p.text,
  /** The link that was set, else that of a known registrar. */
  loginUrl: p.nullable(p.text),
  names: p.number,
  /** Domains there without a price of their own, by what follows their name: `com`, `co.uk`. */
  unpriced: p.list(p.object({ tld: p.text, names: p.number })),
  prices: p.list(parseListPrice),
});

type Priced = Pick<Registrar, "prices" | "unpriced">;

/** Those of `unpriced` for which a list has no price either: of the suffix, such as `co.uk`, or its TLD. */
export function withoutPrice({ prices, unpriced }: Priced): Registrar["unpriced"] {
  const listed = new Set(prices.map(({ tld }) => tld));
  const topOf = (suffix: string) => suffix.slice(suffix.lastIndexOf(".") + 1);
  return unpriced.filter(({ tld }) => !listed.has(tld) && !listed.has(topOf(tld)));
}

/** `GET /api/registrars`: the one with most domains first, at most 500. */
export const parseRegistrars = p.object({ items: p.list(parseRegistrar) });

/**
 * `PATCH /api/registrars/:key`; an absent member stays. Another registrar's name merges the two:
 * all domains move there; it keeps its own link and prices, and takes over those that it lacks.
 * `prices` replace all; with the `pricesBefore` that they were made of, only where the two differ.
 */
export interface RegistrarInput {
  name?: string;
  loginUrl?: string | null;
  prices?: ListPrice[];
  pricesBefore?: ListPrice[];
}

/** What `PATCH` answers: the key it has now, how many domains moved, and what undoes that. */
export type ChangedRegistrar = p.Parsed<typeof parseChangedRegistrar>;

export const parseChangedRegistrar = p.object({
  key: p.text,
  moved: p.number,
  operation: p.orElse(p.text, null),
});
