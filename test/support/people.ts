import type { SQL } from "bun";
import type { Limit } from "../../src/shared/people.ts";
import type { AccountRole } from "../../src/shared/session.ts";
import type { BackendServer } from "./backend-server.ts";
import { type ApiClient, createApiClient, OWNER } from "./api-client.ts";

export interface PersonGiven {
  email: string;
  name?: string;
  role?: AccountRole;
  limit?: Limit;
  disabled?: boolean;
}

/** Writes accounts into the tables, past the invitations, with the owner's password; returns their ids. */
export async function addPeople(sql: SQL, people: readonly PersonGiven[]): Promise<string[]> {
  const [owner] = await sql<{ password: string }[]>`select password from users limit 1`;
  const rows = people.map(({ email, name = null, role = "editor", limit, disabled = false }) => ({
    id: Bun.randomUUIDv7(),
    email,
    name,
    role,
    limited_to: limit === undefined ? null : JSON.stringify(limit),
    disabled: Number(disabled),
    created_at: new Date().toISOString(),
  }));
  for (const row of rows) await sql`insert into users ${sql({ ...row, ...owner })}`;
  return rows.map(({ id }) => id);
}

/** Adds somebody to the register of a server, and signs them in. */
export async function joinAs(
  { url, write }: Pick<BackendServer, "url" | "write">,
  person: PersonGiven,
): Promise<{ id: string; client: ApiClient }> {
  const [id = ""] = await write((sql) => addPeople(sql, [person]));
  return { id, client: await signInAs(url, person.email) };
}

export async function signInAs(url: URL | string, email: string): Promise<ApiClient> {
  const client = createApiClient(url);
  await client.request("/api/token");
  const json = { email, password: OWNER.password };
  await client.request("/api/token", { method: "POST", json });
  return client;
}
