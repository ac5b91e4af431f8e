import { isCurrencyCode, parseCurrency, refuseCurrency } from "./money.ts";
import {
  boolean,
  described,
  exactObject,
  expected,
  integer,
  isRecord,
  nullable,
  number,
  object,
  optional,
  orElse,
  refuse,
  schemaOf,
  text,
  type Parsed,
  type Parser,
} from "./parse.ts";

/** Currencies that have an exchange rate, at most; ISO 4217 lists fewer. */
export const MAX_RATES = 200;

const MAX_RATE = 1e9;

const parseRate = described(
  (value) => {
    const rate = number(value);
    if (rate > 0 && rate <= MAX_RATE) return rate;
    return refuse("range", expected(`a number above 0, at most ${MAX_RATE}`, rate));
  },
  () => ({ type: "number", exclusiveMinimum: 0, maximum: MAX_RATE }),
);

const settingsShape = {
  leadDays: integer(1, 365),
  currency: nullable(parseCurrency),
  rates: byCurrency(parseRate),
};

/** Daily rates of the European Central Bank, as `rates`; `day` is null until it has answered. */
const parseReference = object({
  on: boolean,
  day: nullable(text),
  rates: byCurrency(parseRate),
});

const NO_REFERENCE: Parsed<typeof parseReference> = { on: false, day: null, rates: {} };

/**
 * `GET /api/settings`: what holds for the whole register.
 * - `leadDays`: a domain needs attention so many days before it expires.
 * - `currency`: ISO 4217, the one that new prices are in and that totals are converted to.
 * - `rates`: one unit of each currency is so many units of `currency`, as the owner says.
 * - `reference`: the same where the owner says nothing, if the European Central Bank is asked.
 */
export type Settings = Parsed<typeof parseSettings>;

/** What the owner has typed, which is what is stored. */
export const parseTypedSettings = object(settingsShape);

export const parseSettings = object({
  ...settingsShape,
  reference: orElse(parseReference, NO_REFERENCE),
});

/** `PUT /api/settings/reference`: whether the European Central Bank is asked once a day. */
export const parseReferenceChoice = exactObject({ on: boolean });

/** `PATCH /api/settings`. Null removes a rate; a new `currency` drops all rates. */
export const parseSettingsChange = exactObject({
  leadDays: optional(settingsShape.leadDays),
  currency: optional(settingsShape.currency),
  rates: optional(byCurrency(nullable(parseRate))),
});

export type SettingsChange = Parsed<typeof parseSettingsChange>;

export const DEFAULT_SETTINGS: Settings = {
  leadDays: 60,
  currency: null,
  rates: {},
  reference: NO_REFERENCE,
};

function byCurrency<T>(parse: Parser<T>): Parser<Record<string, T>> {
  return described(
    (value) => {
      if (!isRecord(value)) {
        return refuse("type", expected("an object of rates by currency", value));
      }
      const codes = Object.keys(value);
      if (codes.length > MAX_RATES) {
        return refuse("length", `Expected at most ${MAX_RATES} rates, but got ${codes.length}`);
      }
      const shape = codes.map((code): [string, Parser<T>] => [
        code,
        isCurrencyCode(code) ? parse : () => refuseCurrency(code),
      ]);
      return object(Object.fromEntries(shape))(value);
    },
    () => ({
      type: "object",
      propertyNames: schemaOf(parseCurrency),
      additionalProperties: schemaOf(parse),
      maxProperties: MAX_RATES,
    }),
  );
}
