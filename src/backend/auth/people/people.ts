import type { SQL } from "bun";
import { type Fragment, hasRows, type Job, parseStored } from "../../database/database.ts";
import type { Peer } from "../../../shared/api.ts";
import type { AuditAction } from "../../../shared/audit.ts";
import type { NamedPerson } from "../../../shared/domain.ts";
import {
  type Limit,
  parseLimit,
  parsePeople,
  parsePerson,
  parsePersonChange,
  parseProfile,
  type Person,
} from "../../../shared/people.ts";
import { type AccountRole, parseSession } from "../../../shared/session.ts";
import { recordAudit, recordRequest } from "../../audit/audit.ts";
import { badFields, RequestError } from "../../http/request-error.ts";
import { route, type Route, type User } from "../../http/route.ts";
import { deleteOtherSessions } from "../session/sessions.ts";
import {
  readCanSignIn,
  removeFactors,
  requireOwner,
  type SignInOptions,
} from "../factors/sign-in-ways.ts";

/** What a change of a person does to what belongs to them, inside its transaction. */
export interface PersonEffects {
  /** Takes domains from them, maybe thousands, before their account goes. */
  release: (
    sql: SQL,
    of: { person: string; by: Pick<User, "id" | "name" | "token"> },
  ) => Promise<void>;
  ended: (sql: SQL, person: NamedPerson, why: "deleted" | "disabled") => Promise<void>;
}

export const createPeopleRoutes = (options: SignInOptions, effects: PersonEffects): Route[] => [
  route("GET /api/people", "owner", {
    summary: "List the people with an account",
    answer: parsePeople,
    handle: async ({ database }) => ({
      items: await database.read((sql) => listPeople(sql, sql`1 = 1`)),
    }),
  }),
  route("PATCH /api/people/:id", "owner", {
    summary: "Change a person’s role, or disable their account, ending its sessions and tokens",
    body: parsePersonChange,
    answer: parsePerson,
    problems: [409],
    // A change that changes nothing is in no log, and is not refused.
    handle: (context) =>
      context.database.write(async (sql) => {
        const { id } = context.params;
        const canSignIn = await readCanSignIn(sql, options, context);
        const { limit: limitBefore = null, ...person } = await findPerson(sql, id);
        const { role = person.role, disabled = person.disabled } = context.body;
        const { limit = limitBefore } = context.body;
        // A limit that stays is not judged again: its view may be gone.
        if (role !== "viewer" || !Bun.deepEquals(limit, limitBefore))
          await refuseLimit(sql, role, limit);
        const limited = limit && JSON.stringify(limit);
        await sql`update users set role = ${role}, disabled = ${Number(disabled)},
          limited_to = ${limited} where id = ${id}`;
        await requireOwner(sql, canSignIn);
        if (disabled) {
          await deleteOtherSessions(sql, person, null);
          await sql`delete from api_tokens where user_id = ${id}`;
          // A person who is enabled later gets in by their password, or by a new link.
          await sql`delete from invitations where user_id = ${id}`;
        }
        if (disabled || role !== "owner") await revokeLinksBy(sql, id);
        const record = (action: AuditAction, detail?: string) =>
          recordRequest(sql, context, action, { subject: person.email, detail });
        const [was, is] = [roleInWords(person.role, limitBefore), roleInWords(role, limit)];
        if (was !== is) await record("role-changed", `${was} to ${is}`);
        if (disabled !== person.disabled) {
          if (disabled) await effects.ended(sql, person, "disabled");
          await record(disabled ? "person-disabled" : "person-enabled");
        }
        return { ...person, role, disabled, ...(limit && { limit }) };
      }),
  }),
  route("DELETE /api/people/:id", "owner", {
    summary: "Delete an account; what the person did stays in the history",
    answer: null,
    problems: [409],
    handle({ database, user, peer: { address, proxyUser }, params: { id }, publicUrl }) {
      const peer = { address, ...(proxyUser !== undefined && { proxyUser }) };
      const from = { peer, publicUrl };
      return database.writeMany(createDeletePerson(effects), { id, options, user, from });
    },
  }),
  route("DELETE /api/people/:id/sessions", "owner", {
    summary: "End all of a person’s sessions",
    answer: null,
    handle: (context) =>
      context.database.write(async (sql) => {
        const person = await findPerson(sql, context.params.id);
        await deleteOtherSessions(sql, person, null);
        await recordRequest(sql, context, "sessions-ended", { subject: person.email });
      }),
  }),
  route("DELETE /api/people/:id/factors", "owner", {
    summary: "Reset a person’s two-step sign-in and passkeys",
    answer: null,
    problems: [409],
    handle: (context) =>
      context.database.write(async (sql) => {
        const { id, email } = await findPerson(sql, context.params.id);
        const canSignIn = await readCanSignIn(sql, options, context);
        await removeFactors(sql, id);
        await requireOwner(sql, canSignIn);
        await recordRequest(sql, context, "factor-removed", { subject: email, detail: "all" });
      }),
  }),
  route("PATCH /api/profile", "limited", {
    summary: "Choose the name that others see; null for the e-mail address",
    body: parseProfile,
    answer: parseSession,
    async handle(context) {
      const { id, email, role } = context.user;
      const { name } = context.body;
      await context.database.write(async (sql) => {
        await sql`update users set name = ${name} where id = ${id}`;
        const about = { subject: email, detail: name ?? email };
        await recordRequest(sql, context, "person-renamed", about);
      });
      return { state: "signed-in" as const, id, email, name: name ?? email, role };
    },
  }),
];

async function listPeople(sql: SQL, condition: Fragment): Promise<Person[]> {
  const rows = await sql<(Omit<Person, "disabled" | "limit"> & Limited & { disabled: number })[]>`
    select id, email, coalesce(name, email) as name, role, limited_to, disabled,
      created_at as "createdAt"
    from users where ${condition} order by lower(coalesce(name, email)), id`;
  return rows.map((row) => Object.assign(withLimit(row), { disabled: row.disabled === 1 }));
}

export interface Limited {
  limited_to: string | null;
}

export function withLimit<R extends Limited>({ limited_to, ...row }: R) {
  const limit = parseStored(limited_to, parseLimit);
  return { ...row, ...(limit && { limit }) };
}

/** What the audit log says of a role: `viewer of Acme, Umbra`. */
export function roleInWords(role: AccountRole, limit: Limit | null = null): string {
  if (limit === null) return role;
  return `${role} of ${"owners" in limit ? limit.owners.join(", ") : "a saved view"}`;
}

/** @throws {RequestError} 400 for a limit of another role than a viewer's, or to a view that is not there. */
export async function refuseLimit(sql: SQL, role: AccountRole, limit: Limit | null): Promise<void> {
  if (limit === null) return;
  const refuse = (code: string, detail: string) => {
    throw badFields([{ pointer: "/limit", code, detail }]);
  };
  if (role !== "viewer")
    refuse("choice", "Only a viewer can be limited. Send null to lift the limit.");
  const isThere =
    !("view" in limit) || (await hasRows(sql`select 1 from views where id = ${limit.view}`));
  if (!isThere) refuse("value", "Expected the id of a saved view");
}

export async function findPerson(sql: SQL, id: string): Promise<Person> {
  const [person] = await listPeople(sql, sql`id = ${id}`);
  if (person === undefined) throw new RequestError(404, "This person no longer has an account.");
  return person;
}

interface Deletion {
  id: string;
  options: SignInOptions;
  user: User;
  from: { peer: Pick<Peer, "address" | "proxyUser">; publicUrl: string | null };
}

/** Foreign keys of `users` say what goes along. A deletion that is refused takes no domain. */
export const createDeletePerson = ({ release, ended }: PersonEffects): Job<Deletion, void> => ({
  name: "delete person",
  async run(sql, { id, options, user, from }) {
    const canSignIn = await readCanSignIn(sql, options, from);
    const person = await findPerson(sql, id);
    await requireOwner(sql, () => sql`id <> ${id} and ${canSignIn()}`);
    await release(sql, { person: id, by: user });
    await ended(sql, person, "deleted");
    await sql`delete from users where id = ${id}`;
    await revokeLinksBy(sql, id);
    const { address } = from.peer;
    await recordAudit(sql, { action: "person-deleted", by: user, address, subject: person.email });
  },
});

/** An owner who is removed must not come back by an invitation of their own. */
async function revokeLinksBy(sql: SQL, id: string): Promise<void> {
  await sql`delete from invitations where made_by = ${id}`;
}
