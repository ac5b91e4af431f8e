import type { Domain, Renewal } from "../../../shared/domain.ts";
import type { ImportValues } from "../../../shared/import.ts";
import { currencyDigits } from "../../../shared/money.ts";
import { foldLabel, LIMITS } from "../../../shared/text.ts";
import { UNKNOWN_VALUES } from "../../domains/columns.ts";
import type { DomainName } from "../../domains/domain-name.ts";

/** How the register spells labels, by their folded form. */
export interface Spellings {
  registrars: ReadonlyMap<string, string>;
  tags: ReadonlyMap<string, string>;
}

/** The domain would have more tags than it may. */
export class TooManyTagsError extends Error {
  override readonly name = "TooManyTagsError";
}

/** A domain with nothing but a name. */
export function blankDomain(id: string, { name, unicode }: DomainName): Domain {
  return { ...UNKNOWN_VALUES, id, version: 1, name, unicode, tags: [] };
}

/**
 * A domain with the values of a row, but for its expiry, on which all sources decide. What the row
 * lacks stays; tags are added, in the register's order; a price without currency or years keeps
 * those that the domain has.
 *
 * @throws {TooManyTagsError} Where the domain would have more than 50 tags.
 */
export function mergeValues(domain: Domain, values: ImportValues, spellings: Spellings): Domain {
  return {
    ...domain,
    ...values,
    expires: domain.expires,
    registrar: mergeRegistrar(domain.registrar, values.registrar, spellings),
    tags: values.tags === undefined ? domain.tags : mergeTags(domain.tags, values.tags, spellings),
    renewal: values.renewal ? mergeRenewal(domain.renewal, values.renewal) : domain.renewal,
  };
}

/** Another spelling of the same registrar is no change. */
function mergeRegistrar(
  before: string | null,
  registrar: string | undefined,
  { registrars }: Spellings,
): string | null {
  if (registrar === undefined) return before;
  const key = foldLabel(registrar);
  if (before !== null && foldLabel(before) === key) return before;
  return registrars.get(key) ?? registrar;
}

function mergeTags(before: readonly string[], added: readonly string[], spellings: Spellings) {
  const tags = new Map(before.map((tag) => [foldLabel(tag), tag]));
  for (const tag of added) {
    const key = foldLabel(tag);
    if (!tags.has(key)) tags.set(key, spellings.tags.get(key) ?? tag);
  }
  if (tags.size > LIMITS.tags && tags.size > before.length) throw new TooManyTagsError();
  if (tags.size === before.length) return [...before];
  return [...tags].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
}

function mergeRenewal(before: Renewal | null, read: Renewal): Renewal {
  // An amount without a currency was read in hundredths, which not every currency has.
  const fits = before !== null && currencyDigits(before.currency) === 2;
  const currency = read.currency ?? (fits ? before.currency : null);
  return { minor: read.minor, currency, years: read.years ?? before?.years ?? null };
}
