import type { Domain, Money, NamedPerson, Renewal } from "../../shared/domain.ts";
import { fieldsOf } from "../../shared/fields.ts";
import type { ImportValues } from "../../shared/import.ts";
import { currencyDigits } from "../../shared/money.ts";
import { changeCustomFields, foldLabel, uniqueLabels } from "../../shared/text.ts";

export interface Spellings {
  registrars: ReadonlyMap<string, string>;
  tags: ReadonlyMap<string, string>;
  /** By what each alone is called: a name, or an e-mail address. */
  people: ReadonlyMap<string, NamedPerson>;
}

/**
 * A domain with the values of a row, but for expiry and person, which take more than a row. Tags and custom
 * fields are added; an amount without currency or years keeps those of the domain; the order of
 * nameservers is no change; without a day, it is archived no more.
 */
export function mergeValues(
  domain: Domain,
  values: ImportValues,
  { registrars, tags }: Spellings,
): Domain {
  const merged = {
    ...domain,
    ...values,
    expires: domain.expires,
    registrar: mergeRegistrar(domain.registrar, values.registrar, registrars),
    person: domain.person,
    archivedOn: values.archivedOn ?? null,
    tags: values.tags ? mergeTags(domain.tags, values.tags, tags) : domain.tags,
    renewal: values.renewal ? mergeRenewal(domain.renewal, values.renewal) : domain.renewal,
    custom: values.custom ? changeCustomFields(domain.custom, values.custom) : domain.custom,
  };
  for (const field of MONEY) {
    const read = values[field];
    if (read) merged[field] = mergeMoney(domain[field], read);
  }
  if (values.nameservers !== undefined) {
    const moved = new Set(domain.nameservers).symmetricDifference(new Set(values.nameservers));
    if (moved.size === 0) merged.nameservers = domain.nameservers;
  }
  return merged;
}

const MONEY = fieldsOf("money");

/** Another spelling of the same registrar is no change. */
function mergeRegistrar(
  before: string | null,
  registrar: string | undefined,
  spellings: ReadonlyMap<string, string>,
): string | null {
  if (registrar === undefined) return before;
  const key = foldLabel(registrar);
  if (before !== null && foldLabel(before) === key) return before;
  return spellings.get(key) ?? registrar;
}

function mergeTags(
  before: string[],
  read: readonly string[],
  spellings: ReadonlyMap<string, string>,
): string[] {
  const spelled = read.map((tag) => spellings.get(foldLabel(tag)) ?? tag);
  const tags = uniqueLabels([...before, ...spelled]);
  if (tags.length === before.length) return before;
  return tags.toSorted((one, other) => (foldLabel(one) < foldLabel(other) ? -1 : 1));
}

function mergeMoney(before: Money | null, read: Money): Money {
  // An amount without a currency was read in hundredths, which not every currency has.
  const fits = before !== null && currencyDigits(before.currency) === 2;
  return { minor: read.minor, currency: read.currency ?? (fits ? before.currency : null) };
}

function mergeRenewal(before: Renewal | null, read: Renewal): Renewal {
  return { ...mergeMoney(before, read), years: read.years ?? before?.years ?? null };
}
