import type { SQL } from "bun";
import type { parseNewPasskey, parsePasskeySignIn, Passkey } from "../../../shared/factors.ts";
import type { Parsed } from "../../../shared/parse.ts";
import { readColumn } from "../../database/database.ts";
import { RequestError } from "../../http/request-error.ts";
import type { UserAccount, RequestContext } from "../../http/route.ts";
import { saveChallenge, takeChallenge } from "./challenges.ts";

const MAX_PASSKEYS = 20;

type Context = Pick<
  RequestContext,
  "database" | "session" | "peer" | "publicUrl" | "brand" | "now"
>;

/** Loaded when a passkey is used: it takes 5 MB of memory and 70 ms. */
async function load() {
  // `tsyringe`, which its certificates are read with, refuses to load before it. From source it comes
  // first by itself, in the bundle of the executable it does not.
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

/** Begins to add a passkey that names its account (discoverable) and verifies its user. */
export async function startPasskey(context: Context & { user: UserAccount }) {
  const { database, user, brand } = context;
  const { rpID } = relyingParty(context);
  const own = await database.read((sql) =>
    readColumn(sql`select credential_id from passkeys where user_id = ${user.id}`),
  );
  if (own.length >= MAX_PASSKEYS) {
    throw new RequestError(409, `Remove a passkey first: an account has ${MAX_PASSKEYS} at most.`);
  }
  const { generateRegistrationOptions } = await load();
  const options = await generateRegistrationOptions({
    rpName: brand,
    rpID,
    userName: user.email,
    userDisplayName: user.name,
    userID: new TextEncoder().encode(user.id),
    excludeCredentials: own.map((id) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await begin(context, "passkey-added", { userId: user.id, value: options.challenge });
  return { ...options };
}

/** Adds the passkey that a browser made. @throws {RequestError} 400 where it does not hold, 409. */
export async function confirmPasskey(
  context: Context & { user: UserAccount },
  { name, credential }: Parsed<typeof parseNewPasskey>,
  whenAdded: (sql: SQL) => Promise<void>,
): Promise<Passkey> {
  const { database, user, session, now } = context;
  const { rpID, origin } = relyingParty(context);
  const key = { sessionId: session.id, kind: "passkey-added" } as const;
  const challenge = await takeChallenge(database, key);
  if (challenge?.userId !== user.id) throw new RequestError(409, TOO_LATE);
  const { verifyRegistrationResponse } = await load();
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge: challenge.value,
    expectedOrigin: origin,
    expectedRPID: rpID,
  }).catch(() => ({ registrationInfo: undefined }));
  if (registrationInfo === undefined) {
    throw new RequestError(400, "This passkey is not one that this server asked for.");
  }
  const { id: credentialId, publicKey, counter } = registrationInfo.credential;
  const shown = { id: Bun.randomUUIDv7(), name, createdAt: now.toISOString(), lastUsedAt: null };
  const row = {
    id: shown.id,
    user_id: user.id,
    credential_id: credentialId,
    public_key: Buffer.from(publicKey).toString("base64url"),
    counter,
    name,
    created_at: shown.createdAt,
  };
  await database.write(async (sql) => {
    const added = await sql<unknown[]>`insert into passkeys ${sql(row)}
      on conflict (credential_id) do nothing returning id`;
    if (added.length === 0) throw new RequestError(409, "This passkey is here already.");
    await whenAdded(sql);
  });
  return shown;
}

export async function startPasskeySignIn(context: Context) {
  const { rpID } = relyingParty(context);
  const { generateAuthenticationOptions } = await load();
  const options = await generateAuthenticationOptions({ rpID, userVerification: "required" });
  await begin(context, "passkey-sign-in", { userId: null, value: options.challenge });
  return { ...options };
}

/** Returns the id of the user. A counter that does not grow means a copy. @throws {RequestError} 401 */
export async function verifyPasskey(
  context: Context,
  { passkey }: Parsed<typeof parsePasskeySignIn>,
): Promise<string> {
  const { database, session, now } = context;
  const { rpID, origin } = relyingParty(context);
  const key = { sessionId: session.id, kind: "passkey-sign-in" } as const;
  const challenge = await takeChallenge(database, key);
  if (challenge === null) throw new RequestError(401, TOO_LATE);
  type Row = { id: string; user_id: string; public_key: string; counter: number | string };
  const [row] = await database.read(
    (sql) => sql<Row[]>`select id, user_id, public_key, counter from passkeys
      where credential_id = ${passkey.id}`,
  );
  const owner = Buffer.from(passkey.response.userHandle, "base64url").toString();
  if (row?.user_id !== owner) throw unknownPasskey();
  const { verifyAuthenticationResponse } = await load();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...passkey, clientExtensionResults: {} },
    expectedChallenge: challenge.value,
    expectedOrigin: origin,
    expectedRPID: rpID,
    credential: {
      id: passkey.id,
      publicKey: Buffer.from(row.public_key, "base64url"),
      counter: Number(row.counter),
    },
  }).catch(() => ({ verified: false, authenticationInfo: null }));
  if (!verified || authenticationInfo === null) throw unknownPasskey();
  const used = { counter: authenticationInfo.newCounter, last_used_at: now.toISOString() };
  await database.write((sql) => sql`update passkeys set ${sql(used)} where id = ${row.id}`);
  return row.user_id;
}

export async function listPasskeys(sql: SQL, userId: string): Promise<Passkey[]> {
  return sql<Passkey[]>`
    select id, name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from passkeys where user_id = ${userId} order by id`;
}

/** The name of the passkey that was removed; null where the person has none with this id. */
export async function removePasskey(sql: SQL, userId: string, id: string): Promise<string | null> {
  const [removed] = await sql<{ name: string }[]>`
    delete from passkeys where id = ${id} and user_id = ${userId} returning name`;
  return removed?.name ?? null;
}

function begin(
  { database, session, peer }: Context,
  kind: "passkey-added" | "passkey-sign-in",
  { userId, value }: { userId: string | null; value: string },
): Promise<void> {
  const key = { sessionId: session.id ?? "", kind };
  const { address } = peer;
  return database.write((sql) => saveChallenge(sql, key, { userId, value, address }));
}

/** A passkey belongs to one host for good, so it must be known. @throws {RequestError} 409 */
function relyingParty({ publicUrl }: Pick<Context, "publicUrl">) {
  if (publicUrl === null) {
    throw new RequestError(409, "Passkeys need PUBLIC_URL to be set on the server.");
  }
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, origin };
}

const TOO_LATE = "This took too long, or was used already. Try again.";

function unknownPasskey(): RequestError {
  return new RequestError(401, "This passkey is not known here.");
}
