import { parseCurrency } from "./money.ts";
import * as p from "./parse.ts";

/** Currencies that have an exchange rate, at most; ISO 4217 lists fewer. */
export const MAX_RATES = 200;

const MAX_RATE = 1e9;

const parseRate = p.described(
  (value) => {
    const rate = p.number(value);
    if (rate > 0 && rate <= MAX_RATE) return rate;
    return p.refuse("range", p.expected(`a number above 0, at most ${MAX_RATE}`, rate));
  },
  () => ({ type: "number", exclusiveMinimum: 0, maximum: MAX_RATE }),
);

const settingsShape = {
  leadDays: p.integer(1, 365),
  currency: p.nullable(parseCurrency),
  rates: byCurrency(parseRate),
};

/** Daily rates of the European Central Bank, as `rates`; `day` is null until it has answered. */
const parseReference = p.object({
  on: p.boolean,
  day: p.nullable(p.text),
  rates: byCurrency(parseRate),
});

const NO_REFERENCE: p.Parsed<typeof parseReference> = { on: false, day: null, rates: {} };

/**
 * `GET /api/settings`: what holds for the whole register.
 * - `leadDays`: a domain needs attention this many days before it expires.
 * - `currency`: ISO 4217, the one that new prices are in and that totals are converted to.
 * - `rates`: what one unit of each currency is in units of `currency`, as the owner says.
 * - `reference`: the same where the owner says nothing, if the European Central Bank is asked.
 */
export type Settings = p.Parsed<typeof parseSettings>;

/** What the owner has typed, which is what is stored. */
export const parseTypedSettings = p.object(settingsShape);

export const parseSettings = p.object({
  ...settingsShape,
  reference: p.orElse(parseReference, NO_REFERENCE),
});

/** `PUT /api/settings/reference`: whether the European Central Bank is asked once a day. */
export const parseReferenceChoice = p.exactObject({ on: p.boolean });

/** `PATCH /api/settings`. Null removes a rate; a new `currency` drops all rates. */
export const parseSettingsChange = p.exactObject({
  leadDays: p.optional(settingsShape.leadDays),
  currency: p.optional(settingsShape.currency),
  rates: p.optional(byCurrency(p.nullable(parseRate))),
});

export type SettingsChange = p.Parsed<typeof parseSettingsChange>;

export const DEFAULT_SETTINGS: Settings = {
  leadDays: 60,
  currency: null,
  rates: {},
  reference: NO_REFERENCE,
};

function byCurrency<T>(parse: p.Parser<T>): p.Parser<Record<string, T>> {
  return p.described(
    (value) => {
      if (!p.isRecord(value)) {
        return p.refuse("type", p.expected("an object of rates by currency", value));
      }
      const codes = Object.keys(value);
      if (codes.length > MAX_RATES) {
        return p.refuse("length", `Expected at most ${MAX_RATES} rates, but got ${codes.length}`);
      }
      const rateOf = (code: string) => (rate: unknown) => {
        parseCurrency(code);
        return parse(rate);
      };
      return p.object(Object.fromEntries(codes.map((code) => [code, rateOf(code)])))(value);
    },
    () => ({
      type: "object",
      propertyNames: p.schemaOf(parseCurrency),
      additionalProperties: p.schemaOf(parse),
      maxProperties: MAX_RATES,
    }),
  );
}
