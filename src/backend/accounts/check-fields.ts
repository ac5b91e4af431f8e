import type { SQL } from "bun";
import * as p from "../../shared/parse.ts";
import { parseInput } from "../http/read-input.ts";
import { badFields, RequestError } from "../http/request-error.ts";
import type { CredentialCipher } from "../outbound/credentials.ts";
import { READERS } from "./registrars/readers.ts";
import type { ReadingTools } from "./run-account.ts";
import { openFields, type AccountRow } from "./stored-accounts.ts";

/** A person waits while credentials are tested: a test that takes longer has failed. */
const TEST_TIMEOUT_MS = 25_000;

/** The values of a registrar's fields. @throws {RequestError} 400 for others, or missing ones. */
export function checkFields(
  registrar: string,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const reader = READERS.find((each) => each.registrar === registrar);
  if (reader === undefined) {
    const detail = `Expected one of ${READERS.map((each) => each.registrar).join(", ")}.`;
    throw badFields([{ pointer: "/registrar", code: "choice", detail }]);
  }
  const members = reader.fields.map(({ name, label, optional }) => {
    const parse = (value: unknown) =>
      value || optional ? value : p.refuse("required", `Enter “${label}”.`);
    return [name, parse] as const;
  });
  const fields = p.exactObject(Object.fromEntries(members));
  parseInput(p.exactObject({ fields }), { fields: given });
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
}

/** Asks the registrar for one page. @throws {RequestError} 422 with the outcome and the registrar's words. */
export async function testFields(
  registrar: string,
  fields: Readonly<Record<string, string>>,
  { read, now }: Pick<ReadingTools, "read" | "now">,
): Promise<void> {
  const signal = AbortSignal.timeout(TEST_TIMEOUT_MS);
  const reading = await read(registrar, fields, {
    signal,
    now,
    keepLease: async () => {},
    readKnown: async () => new Map(),
    probe: true,
  }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return { outcome: "broken" as const, detail: "The registrar did not answer in time." };
  });
  if (reading.outcome === "ok") return;
  throw new RequestError(422, reading.detail, { outcome: reading.outcome });
}

/**
 * Two of the same would compete for their names.
 *
 * @throws {RequestError} 409 where another account of the registrar has the same identity.
 */
export async function refuseSame(
  sql: SQL,
  cipher: CredentialCipher,
  { id, registrar }: Pick<AccountRow, "id" | "registrar">,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const reader = READERS.find((each) => each.registrar === registrar);
  const identity = reader?.identity ?? [reader?.fields[0]?.name ?? ""];
  const identify = (of: typeof fields) =>
    JSON.stringify(identity.map((name) => of[name])).toLowerCase();
  const others = await sql<Pick<AccountRow, "id" | "label" | "credentials">[]>`
    select id, label, credentials from registrar_accounts
    where registrar = ${registrar} and id <> ${id}`;
  const same = others.find((other) => {
    const opened = openFields(cipher, other);
    return "fields" in opened && identify(opened.fields) === identify(fields);
  });
  if (same === undefined) return;
  const detail = `This account is already connected, as “${same.label}”. Change its credentials there.`;
  throw new RequestError(409, detail);
}
