import { createCredentialCipher } from "../../src/backend/outbound/credentials.ts";
import { addAccount, sealFields } from "../../src/backend/accounts/stored-accounts.ts";
import { chunks, insertRows, type SqlRow } from "../../src/backend/database/bulk-rows.ts";
import type { Database } from "../../src/backend/database/database.ts";
import { CHECK_KINDS } from "../../src/shared/check-summary.ts";
import { addPeople } from "./people.ts";

export const CREDENTIALS_KEY = Buffer.alloc(32, 7).toString("base64");

/** A time that no test reaches. */
const NEVER = "2099-01-01T00:00:00.000Z";
const INSTANT = "2026-11-21T00:00:00.000Z";

/** Postgres gets a batch as one value. */
const BATCH = 10_000;

/** How many more names one account lists that are new, and another that a person refused. */
const EXTRA_NAMES = 5_000;

/**
 * Adds what else a register of a company has, past the API, once it has its domains and its owner:
 * accounts that list all of the domains, people of whom one has a quarter of them, checks of each domain
 * that have been done, and findings. Nothing of it is due.
 */
export async function fillAccounts(
  database: Database,
  { accounts, people, extra = EXTRA_NAMES }: { accounts: number; people: number; extra?: number },
): Promise<void> {
  const cipher = createCredentialCipher("", CREDENTIALS_KEY);
  const domains = await database.read(
    (sql) => sql<{ id: string; name: string }[]>`select id, name from domains order by id`,
  );
  await database.write(async (sql) => {
    const emails = Array.from({ length: people }, (_, at) => ({ email: `p${at}@example.org` }));
    const [person] = await addPeople(sql, emails);
    const half = domains.slice(0, domains.length / 4).map(({ id }) => id);
    for (const batch of chunks(half)) {
      await sql`update domains set person_id = ${person} where id in ${sql(batch)}`;
    }
    const ids = Array.from({ length: accounts }, () => Bun.randomUUIDv7());
    const [first = ""] = ids;
    for (const [index, id] of ids.entries()) {
      const about = { registrar: "porkbun", label: `Account ${index}`, created_at: INSTANT };
      const fields = { apikey: `key ${index}`, secretapikey: `secret ${index}` };
      const credentials = sealFields(cipher, id, fields);
      await addAccount(sql, { id, ...about, credentials });
    }
    await sql`update registrar_accounts set due_at = ${NEVER}, outcome = 'ok', complete_at = ${INSTANT}`;
    const listed = (account_id: string, name: string, more: object = {}) => ({
      id: Bun.randomUUIDv7(),
      account_id,
      name,
      place: "listed",
      place_since: INSTANT,
      told: JSON.stringify({ expires: "2027-05-01", autoRenew: true, status: "active" }),
      lists: 2,
      holds: 0,
      refused_at: null,
      ...more,
    });
    const some = (of: string) => Array.from({ length: extra }, (_, at) => `${of}-${at}.example`);
    const rows = [
      ...domains.map(({ name }, at) => listed(ids[at % accounts] ?? first, name, { holds: 1 })),
      ...some("new").map((name) => listed(first, name)),
      ...some("refused").map((name) => listed(first, name, { refused_at: INSTANT })),
    ];
    const insert = async (table: string, added: readonly SqlRow[]) => {
      for (const batch of chunks(added, BATCH)) await insertRows(sql, table, batch);
    };
    await insert("account_names", rows);
    const checks = domains.flatMap(({ id, name }) =>
      CHECK_KINDS.map((kind) => ({
        domain_id: id,
        kind,
        name,
        queue: kind,
        due_at: NEVER,
        priority: 0,
        failures: 0,
        outcome: "ok",
        checked_at: INSTANT,
        answered_at: INSTANT,
      })),
    );
    await insert("checks", checks);
    const findings = domains
      .filter((_, at) => at % 20 === 0)
      .map(({ id }) => ({
        domain_id: id,
        code: "not-registered",
        severity: 0,
        since: INSTANT,
        evidence: "The registry has no such name.",
      }));
    await insert("findings", findings);
  });
}
