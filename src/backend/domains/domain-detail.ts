import type { SQL } from "bun";
import type { DomainDetail } from "../../shared/contract.ts";
import { readDomain } from "./domain-row.ts";
import { listObservations, newestWords } from "./expiry.ts";

/** One domain with what every source said last about its expiry, the newest word first. */
export async function readDomainDetail(sql: SQL, id: string): Promise<DomainDetail | null> {
  const domain = await readDomain(sql, id);
  const [times] = await sql<{ createdAt: string; updatedAt: string }[]>`
    select created_at as "createdAt", updated_at as "updatedAt" from domains where id = ${id}`;
  if (domain === null || times === undefined) return null;
  const observations = newestWords(await listObservations(sql, id)).toSorted((one, other) =>
    other.observedAt.localeCompare(one.observedAt),
  );
  const { createdAt, updatedAt } = times;
  return { ...domain, observations, createdAt, updatedAt };
}

/** The id of the domain that has this name as its A-label, or null. */
export async function findDomain(sql: SQL, name: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`select id from domains where name = ${name}`;
  return row?.id ?? null;
}
