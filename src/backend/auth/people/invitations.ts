import type { SQL } from "bun";
import { type Database, readColumn, databaseClock } from "../../database/database.ts";
import { readSetting, saveSetting } from "../../database/setting-store.ts";
import { DAY_MS } from "../../../shared/day.ts";
import * as p from "../../../shared/parse.ts";
import {
  parseInvitations,
  parseNewInvitation,
  parseNewLink,
  parsePasswordLink,
  type Invitation,
} from "../../../shared/people.ts";
import type { AccountRole } from "../../../shared/session.ts";
import { recordAudit, recordRequest } from "../../audit/audit.ts";
import { NEWEST_SCHEMA, readSchema } from "../../database/migrate.ts";
import { RequestError } from "../../http/request-error.ts";
import { originOf, route, type RequestContext, type Route } from "../../http/route.ts";
import { addUser, findUser, isOpen, type StoredUser } from "../session/users.ts";
import type { AcceptedLink } from "./credentials.ts";
import { findPerson, type Limited, refuseLimit, roleInWords, withLimit } from "./people.ts";
import { hashToken, randomToken } from "../tokens/secrets.ts";
import { deleteOtherSessions } from "../session/sessions.ts";
import { removeFactors } from "../factors/sign-in-ways.ts";
import { inDatabase, openExistingDatabase } from "../../database/open-database.ts";
import { OperatorError } from "../../../shared/log.ts";

/** After which an invitation and a link for a new password end; one from this machine, sooner. */
const LINK_MS = 7 * DAY_MS;
const RESET_MS = 60 * 60_000;

/** Sends a link by mail. False where no mail is set up, or the server did not take it. */
export type MailLink = (
  to: string,
  mail: { title: string; notes: readonly string[]; link: string },
) => Promise<boolean>;

/** Invitations and links for new passwords, whose codes are in no answer but the first. */
export function createInvitationRoutes(mailLink: MailLink): Route[] {
  /** Mails a link where mail is set up. Its code is in the fragment, which browsers never send. */
  async function send(
    context: Pick<RequestContext, "peer" | "url" | "publicUrl">,
    { kind, code, expires_at: expiresAt }: Awaited<ReturnType<typeof addLink>>,
    to: string | null,
    title: string,
  ) {
    const url = `${originOf(context)}/home#${kind}=${code}`;
    const notes = [`The link works once, until ${expiresAt.slice(0, 10)}.`];
    const mailed = to !== null && (await mailLink(to, { title, notes, link: url }));
    return { url, expiresAt, mailed };
  }

  return [
    route("GET /api/invitations", "owner", {
      summary: "List the open invitations",
      answer: parseInvitations,
      handle: async ({ database }) => ({
        items: await database.read(async (sql) => {
          const open = await sql<(Omit<Invitation, "limit"> & Limited)[]>`
            select id, email, role, limited_to, made_by_name as "by", created_at as "createdAt",
              expires_at as "expiresAt"
            from invitations where kind = 'invitation' and ${isOpen(sql)} order by id desc`;
          return open.map(withLimit);
        }),
      }),
    }),
    route("POST /api/invitations", "owner", {
      summary: "Invite someone; only this response contains the link",
      body: parseNewInvitation,
      answer: parseNewLink,
      statuses: [201],
      problems: [409],
      async handle(context) {
        const { database, user, brand, body } = context;
        const { email = null, role, limit = null } = body;
        const link = await database.write(async (sql) => {
          await refuseLimit(sql, role, limit);
          if (email !== null && (await findUser(sql, sql`email = ${email}`))) throw taken();
          const limited_to = limit && JSON.stringify(limit);
          const about = { subject: email ?? undefined, detail: roleInWords(role, limit) };
          await recordRequest(sql, context, "invitation-added", about);
          return addLink(sql, "invitation", user, LINK_MS, { email, role, limited_to });
        });
        const sent = await send(context, link, email, `${user.name} invites you to ${brand}`);
        const { id, created_at: createdAt } = link;
        return { id, email, role, ...(limit && { limit }), by: user.name, createdAt, ...sent };
      },
    }),
    route("DELETE /api/invitations/:id", "owner", {
      summary: "Revoke an invitation",
      answer: null,
      handle: (context) =>
        context.database.write(async (sql) => {
          const { id } = context.params;
          const [revoked] = await sql<{ email: string | null }[]>`delete from invitations
            where id = ${id} and kind = 'invitation' and ${isOpen(sql)} returning email`;
          if (revoked === undefined) {
            throw new RequestError(404, "This invitation was used or revoked, or has expired.");
          }
          const about = { subject: revoked.email ?? undefined };
          await recordRequest(sql, context, "invitation-revoked", about);
        }),
    }),
    route("POST /api/people/:id/reset", "owner", {
      summary: "Create a password-reset link",
      answer: parsePasswordLink,
      statuses: [201],
      problems: [409],
      async handle(context) {
        const { database, brand, params, user } = context;
        const link = await database.write(async (sql) => {
          const { id, email, disabled } = await findPerson(sql, params.id);
          if (disabled) throw new RequestError(409, "Enable this account first.");
          // The last one made is the only one.
          await sql`delete from invitations where user_id = ${id}`;
          await recordRequest(sql, context, "password-link-added", { subject: email });
          return { ...(await addLink(sql, "reset", user, LINK_MS, { user_id: id })), email };
        });
        return send(context, link, link.email, `Choose a new password for ${brand}`);
      },
    }),
  ];
}

/** Adds a link, by the clock that ends it. The database has the hash of its code alone. */
async function addLink(
  sql: SQL,
  kind: "invitation" | "reset",
  by: { id: string | null; name: string },
  lifetimeMs: number,
  columns: object,
) {
  const code = randomToken();
  const now = await databaseClock()(sql);
  const row = {
    id: Bun.randomUUIDv7(),
    kind,
    code_hash: hashToken(code),
    made_by: by.id,
    made_by_name: by.name,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + lifetimeMs).toISOString(),
  };
  await sql`insert into invitations ${sql({ ...row, ...columns })}`;
  return { ...row, code };
}

/** What an open code is good for, and whose password it sets; null for another address. */
export async function findLink(sql: SQL, { code, email }: Pick<AcceptedLink, "code" | "email">) {
  type Link = Limited & {
    id: string;
    kind: "invitation" | "reset";
    email: string | null;
    role: AccountRole;
    user_id: string | null;
  };
  const [link] = await sql<Link[]>`
    select id, kind, email, role, limited_to, user_id from invitations
    where code_hash = ${hashToken(code)} and ${isOpen(sql)}`;
  if (link === undefined) return null;
  if (link.kind === "invitation") {
    const isTheirs = link.email === null || link.email === email;
    return isTheirs ? { link, person: null, isOfMachine: false } : null;
  }
  const whose = link.user_id === null ? sql`role = 'owner'` : sql`id = ${link.user_id}`;
  const person = await findUser(sql, sql`email = ${email} and disabled = 0 and ${whose}`);
  return person && { link, person, isOfMachine: link.user_id === null };
}

/**
 * Adds the account, or sets the password and ends all sessions. Null: no longer valid.
 * @throws {RequestError} 409 if the invited address has an account by now.
 */
export async function useLink(
  sql: SQL,
  { name = null, ...given }: AcceptedLink,
  { password, address }: { password: string; address: string },
): Promise<{ account: StoredUser; isNew: boolean } | null> {
  const found = await findLink(sql, given);
  if (found === null) return null;
  const { link, person } = found;
  await sql`delete from invitations where id = ${link.id}`;
  if (person !== null) {
    await sql`delete from invitations where user_id = ${person.id}`;
    await sql`update users set password = ${password} where id = ${person.id}`;
    await deleteOtherSessions(sql, person, null);
    // Who is at the machine itself may have lost the authenticator app too.
    if (found.isOfMachine) await removeFactors(sql, person.id);
    const about = { by: person, address, subject: person.email };
    await recordAudit(sql, { action: "password-reset", ...about });
    return { account: { ...person, password }, isNew: false };
  }
  const { email } = given;
  const { id, role, limited_to } = link;
  const added = { id, email, name, role, limited_to, password };
  const account = await addUser(sql, added, {
    address,
    detail: roleInWords(role, withLimit(link).limit),
  });
  if (account === null) throw taken();
  return { account, isNew: true };
}

function taken(): RequestError {
  return new RequestError(409, "This e-mail address already has an account.");
}

export async function sweepInvitations(database: Database): Promise<void> {
  await database.write((sql) => sql`delete from invitations where not (${isOpen(sql)})`);
}

const ADDRESS = "address";
const readAddress = (sql: SQL) => readSetting(sql, ADDRESS, p.text);

/** Keeps the address at which this server was started, to which `owner reset` leads. */
export async function keepAddress(database: Database, address: string): Promise<void> {
  if ((await database.read(readAddress)) === address) return;
  await database.write((sql) => saveSetting(sql, ADDRESS, address));
}

/** The command `owner reset`: makes a code that sets an owner's password. @throws {OperatorError} */
export async function createResetCode(databaseUrl: string) {
  return inDatabase(await openExistingDatabase(databaseUrl), ({ place, write }) =>
    write(async (sql) => {
      const schema = await readSchema(sql);
      if (schema !== null && schema !== NEWEST_SCHEMA) {
        const why = "was written by another version of this program: start this one with it once";
        throw new OperatorError(`The database ${place} ${why}`);
      }
      const owners =
        schema === null
          ? []
          : await readColumn(sql`select email from users
              where role = 'owner' and disabled = 0 order by email`);
      if (owners.length === 0) {
        throw new OperatorError(`The database ${place} has no owner yet: set it up first`);
      }
      await sql`delete from invitations where kind = 'reset' and user_id is null`;
      const command = "owner reset";
      const about = { by: null, address: null, subject: command };
      await recordAudit(sql, { action: "password-link-added", ...about });
      const { code } = await addLink(sql, "reset", { id: null, name: command }, RESET_MS, {});
      return { code, owners, address: await readAddress(sql) };
    }),
  );
}
