import {
  parseNewPasskey,
  parsePasskey,
  parsePasskeyOptions,
  parsePasskeys,
  type parsePasskeySignIn,
  type Passkey,
} from "../../../shared/factors.ts";
import type { Parsed } from "../../../shared/parse.ts";
import { recordRequest } from "../../audit/audit.ts";
import { hasRows, readColumn } from "../../database/database.ts";
import { RequestError } from "../../http/request-error.ts";
import { route, type RequestContext, type Route } from "../../http/route.ts";
import { saveChallenge, takeChallenge } from "./challenges.ts";
import { keepWayIn, readCanSignIn, type SignInOptions } from "./sign-in-ways.ts";

const MAX_PASSKEYS = 20;

type Context = Pick<RequestContext, "database" | "session" | "peer" | "publicUrl" | "now">;

/** Loaded when a passkey is used: it takes 5 MB of memory and 70 ms. */
async function load() {
  // `tsyringe`, which its certificates are read with, refuses to load before it. From source it comes
  // first by itself, in the bundle of the executable it does not.
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

export function createPasskeyRoutes(options: SignInOptions): Route[] {
  return [
    route("GET /api/passkeys", "limited", {
      summary: "List your passkeys",
      answer: parsePasskeys,
      handle: async ({ database, user }) => ({
        items: await database.read(
          (sql) => sql<Passkey[]>`
            select id, name, created_at as "createdAt", last_used_at as "lastUsedAt"
            from passkeys where user_id = ${user.id} order by id`,
        ),
      }),
    }),
    // It names its account (discoverable) and verifies its user.
    route("POST /api/passkeys", "limited", {
      summary: "Begin to add a passkey",
      answer: parsePasskeyOptions,
      problems: [409, 429],
      async handle(context) {
        const { database, user, brand } = context;
        const { rpID } = relyingParty(context);
        const own = await database.read((sql) =>
          readColumn(sql`select credential_id from passkeys where user_id = ${user.id}`),
        );
        if (own.length >= MAX_PASSKEYS) {
          const detail = `Remove a passkey first: an account can have ${MAX_PASSKEYS} at most.`;
          throw new RequestError(409, detail);
        }
        const { generateRegistrationOptions } = await load();
        const asked = await generateRegistrationOptions({
          rpName: brand,
          rpID,
          userName: user.email,
          userDisplayName: user.name,
          userID: new TextEncoder().encode(user.id),
          excludeCredentials: own.map((id) => ({ id })),
          authenticatorSelection: { residentKey: "required", userVerification: "required" },
        });
        await begin(context, "passkey-added", { userId: user.id, value: asked.challenge });
        return { ...asked };
      },
    }),
    route("POST /api/passkeys/confirm", "limited", {
      summary: "Add the passkey that the browser made",
      body: parseNewPasskey,
      answer: parsePasskey,
      statuses: [201],
      problems: [409],
      async handle(context) {
        const { body, database, user, session, now } = context;
        const { name, credential } = body;
        const { rpID, origin } = relyingParty(context);
        const challenge = await takeChallenge(database, "passkey-added", session.id);
        if (challenge?.userId !== user.id) throw new RequestError(409, TOO_LATE);
        const { verifyRegistrationResponse } = await load();
        const { registrationInfo } = await verifyRegistrationResponse({
          response: { ...credential, clientExtensionResults: {} },
          expectedChallenge: challenge.value,
          expectedOrigin: origin,
          expectedRPID: rpID,
        }).catch(() => ({ registrationInfo: undefined }));
        if (registrationInfo === undefined) {
          throw new RequestError(400, "This server did not ask for this passkey. Try again.");
        }
        const { id: credentialId, publicKey, counter } = registrationInfo.credential;
        const id = Bun.randomUUIDv7();
        const createdAt = now.toISOString();
        const row = {
          id,
          user_id: user.id,
          credential_id: credentialId,
          public_key: Buffer.from(publicKey).toString("base64url"),
          counter,
          name,
          created_at: createdAt,
        };
        await database.write(async (sql) => {
          const isNew = await hasRows(sql`insert into passkeys ${sql(row)}
            on conflict (credential_id) do nothing returning id`);
          if (!isNew) throw new RequestError(409, "This passkey has already been added.");
          await recordRequest(sql, context, "factor-added", { detail: `passkey ${name}` });
        });
        return { id, name, createdAt, lastUsedAt: null };
      },
    }),
    route("POST /api/passkeys/sign-in", "public", {
      summary: "Begin a sign-in by passkey",
      answer: parsePasskeyOptions,
      problems: [409, 429],
      async handle(context) {
        const { rpID } = relyingParty(context);
        const { generateAuthenticationOptions } = await load();
        const asked = await generateAuthenticationOptions({ rpID, userVerification: "required" });
        await begin(context, "passkey-sign-in", { userId: null, value: asked.challenge });
        return { ...asked };
      },
    }),
    route("DELETE /api/passkeys/:id", "limited", {
      summary: "Remove a passkey",
      answer: null,
      problems: [409],
      handle: (context) =>
        context.database.write(async (sql) => {
          const { user, params } = context;
          const canSignIn = await readCanSignIn(sql, options, context);
          const [removed] = await sql<{ name: string }[]>`delete from passkeys
            where id = ${params.id} and user_id = ${user.id} returning name`;
          if (removed === undefined) throw new RequestError(404, "This passkey does not exist.");
          await keepWayIn(sql, canSignIn, user);
          await recordRequest(sql, context, "factor-removed", {
            detail: `passkey ${removed.name}`,
          });
        }),
    }),
  ];
}

/** Returns the id of the user. A counter that does not grow means a copy. @throws {RequestError} 401 */
export async function verifyPasskey(
  context: Context,
  { passkey }: Parsed<typeof parsePasskeySignIn>,
): Promise<string> {
  const { database, session, now } = context;
  const { rpID, origin } = relyingParty(context);
  const challenge = await takeChallenge(database, "passkey-sign-in", session.id);
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

function begin(
  { database, session, peer }: Context,
  kind: "passkey-added" | "passkey-sign-in",
  begun: { userId: string | null; value: string },
): Promise<void> {
  const challenge = { ...begun, sessionId: session.id ?? "", address: peer.address };
  return database.write((sql) => saveChallenge(sql, kind, challenge));
}

/** A passkey belongs to one host for good, so it must be known. @throws {RequestError} 409 */
function relyingParty({ publicUrl }: Pick<Context, "publicUrl">) {
  if (publicUrl === null) {
    throw new RequestError(409, "Passkeys need PUBLIC_URL to be set on the server.");
  }
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, origin };
}

const TOO_LATE = "This took too long or was already used. Try again.";

function unknownPasskey(): RequestError {
  return new RequestError(401, "This server does not know this passkey. Sign in another way.");
}
