import type { SQL } from "bun";
import type { Change } from "../../shared/changes.ts";
import type { Domain } from "../../shared/domain.ts";
import { isRecord } from "../../shared/parse.ts";
import { formatSource, parseSource } from "../../shared/source.ts";
import { EVERYTHING, type Sight } from "../http/route.ts";

/** Gives the text of a source as it is shown: an account has its label there in place of its id. */
type SourceNames = (source: string) => string;

/** Reads the labels of all accounts that there are or were. A limited viewer sees only whose they are. */
export async function readSourceNames(sql: SQL, sight: Sight): Promise<SourceNames> {
  if (sight !== EVERYTHING) return withoutLabel;
  const rows = await sql<{ source: string; label: string }[]>`
    select 'account:' || registrar || ':' || coalesce(source_key, id) as source, label
    from registrar_accounts union all select source, label from former_accounts`;
  const labels = new Map(rows.map(({ source, label }) => [source, label]));
  return (text) => {
    const account = labels.get(text);
    const source = parseSource(text);
    return account && source.kind === "account" ? formatSource({ ...source, account }) : text;
  };
}

/** The text of a source as those see it who see no accounts: only whose account it is. */
export function withoutLabel(text: string): string {
  const source = parseSource(text);
  return source.kind === "account" ? formatSource({ ...source, account: source.registrar }) : text;
}

export function nameSources(expires: Domain["expires"], nameOf: SourceNames): Domain["expires"] {
  if (expires === null) return null;
  const alternatives = expires.alternatives.map((other) => {
    return { ...other, source: nameOf(other.source) };
  });
  return { ...expires, source: nameOf(expires.source), alternatives };
}

export function nameChangedSources(
  fields: Change["fields"],
  nameOf: SourceNames,
): Change["fields"] {
  const named = (value: unknown) =>
    isRecord(value) && typeof value.source === "string"
      ? { ...value, source: nameOf(value.source) }
      : value;
  return fields.map((change) =>
    change.field === "expires"
      ? { ...change, before: named(change.before), after: named(change.after) }
      : change,
  );
}
