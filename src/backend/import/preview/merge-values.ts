import type { Domain, Renewal } from "../../../shared/contract.ts";
import type { ImportValues } from "../../../shared/import-contract.ts";
import { LIMITS } from "../../../shared/text.ts";
import type { DomainName } from "../../domains/domain-name.ts";
import { foldLabel } from "../../../shared/text.ts";
import { currencyDigits } from "../../../shared/money.ts";

/** How the register spells labels that it has, by their folded form. */
export interface Spellings {
  registrars: ReadonlyMap<string, string>;
  tags: ReadonlyMap<string, string>;
}

/** The tags would be more than a domain may have: none of them is added. */
export class TooManyTagsError extends Error {
  override readonly name = "TooManyTagsError";
}

/** A domain of which nothing is known but its name. */
export function blankDomain(id: string, { name, unicode }: DomainName): Domain {
  return {
    id,
    version: 1,
    name,
    unicode,
    registrar: null,
    account: null,
    owner: null,
    tags: [],
    decision: null,
    autoRenew: null,
    expires: null,
    renewal: null,
    notes: "",
  };
}

/**
 * A domain with what a row says of it, but for its expiry, which is not the row's to decide. What
 * the row does not say stays; tags are added, in the register's order; of a price, the currency and
 * years that the row does not name stay too.
 */
export function mergeValues(domain: Domain, values: ImportValues, spellings: Spellings): Domain {
  return {
    ...domain,
    registrar: mergeRegistrar(domain.registrar, values.registrar, spellings),
    account: values.account ?? domain.account,
    owner: values.owner ?? domain.owner,
    tags: values.tags === undefined ? domain.tags : mergeTags(domain.tags, values.tags, spellings),
    decision: values.decision ?? domain.decision,
    autoRenew: values.autoRenew ?? domain.autoRenew,
    renewal: values.renewal ? mergeRenewal(domain.renewal, values.renewal) : domain.renewal,
    notes: values.notes ?? domain.notes,
  };
}

/** Another spelling of the same registrar is no change. */
function mergeRegistrar(
  before: string | null,
  said: string | undefined,
  { registrars }: Spellings,
): string | null {
  if (said === undefined) return before;
  const key = foldLabel(said);
  if (before !== null && foldLabel(before) === key) return before;
  return registrars.get(key) ?? said;
}

/** @throws {TooManyTagsError} */
function mergeTags(before: readonly string[], said: readonly string[], spellings: Spellings) {
  const tags = new Map(before.map((tag) => [foldLabel(tag), tag]));
  for (const tag of said) {
    const key = foldLabel(tag);
    if (!tags.has(key)) tags.set(key, spellings.tags.get(key) ?? tag);
  }
  if (tags.size > LIMITS.tags && tags.size > before.length) throw new TooManyTagsError();
  if (tags.size === before.length) return [...before];
  return [...tags].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
}

function mergeRenewal(before: Renewal | null, said: Renewal): Renewal {
  // An amount without a currency was read in hundredths: it is none of a currency that has others.
  const fits = before !== null && currencyDigits(before.currency) === 2;
  const currency = said.currency ?? (fits ? before.currency : null);
  return { minor: said.minor, currency, years: said.years ?? before?.years ?? null };
}
