import {
  parseFactors,
  parseNewPasskey,
  parsePasskey,
  parsePasskeyOptions,
  parsePasskeys,
  parseRecoveryCodes,
  parseTotpCode,
  parseTotpSetUp,
} from "../../shared/factors.ts";
import { recordRequest } from "../audit/audit.ts";
import { hasRows } from "../database/database.ts";
import type { CredentialCipher } from "../outbound/credentials.ts";
import { RequestError } from "../http/request-error.ts";
import { route, type Route } from "../http/route.ts";
import {
  confirmPasskey,
  listPasskeys,
  removePasskey,
  startPasskey,
  startPasskeySignIn,
} from "./factors/passkeys.ts";
import { findPerson } from "./people/people.ts";
import {
  keepWayIn,
  readCanSignIn,
  removeFactors,
  requireOwner,
  signInWays,
  type SignInOptions,
} from "./factors/sign-in-ways.ts";
import { confirmTotp, describeTotp, removeTotp, startTotp } from "./factors/totp.ts";

const APP = "authenticator app";

export function createFactorRoutes(cipher: CredentialCipher, options: SignInOptions): Route[] {
  return [
    route("GET /api/factors", {
      summary: "Show one’s own second steps",
      role: "viewer",
      answer: parseFactors,
      handle: ({ database, user, publicUrl }) =>
        database.read(async (sql) => ({
          ...(await describeTotp(sql, user.id)),
          linked: await hasRows(sql`select 1 from identities where user_id = ${user.id}`),
          password: await hasRows(
            sql`select 1 from users where id = ${user.id} and password is not null`,
          ),
          passkeys: publicUrl !== null,
          offered: await signInWays(sql, options, publicUrl),
        })),
    }),
    route("POST /api/factors/totp", {
      summary: "Begin to set up an authenticator app",
      role: "viewer",
      answer: parseTotpSetUp,
      problems: [409],
      handle: ({ database, user, brand }) =>
        database.write(async (sql) => ({ uri: await startTotp(sql, cipher, { user, brand }) })),
    }),
    route("POST /api/factors/totp/confirm", {
      summary: "Confirm an authenticator app with its first code",
      role: "viewer",
      body: parseTotpCode,
      answer: parseRecoveryCodes,
      problems: [409],
      handle: (context) =>
        context.database.write(async (sql) => {
          const { user, body, readNow } = context;
          const given = { user, code: body.code, now: await readNow(sql) };
          const recoveryCodes = await confirmTotp(sql, cipher, given);
          await recordRequest(sql, context, "factor-added", { detail: APP });
          return { recoveryCodes };
        }),
    }),
    route("DELETE /api/factors/totp", {
      summary: "Remove the authenticator app and its recovery codes",
      role: "viewer",
      answer: null,
      problems: [404],
      handle: (context) =>
        context.database.write(async (sql) => {
          if (!(await removeTotp(sql, context.user.id))) {
            throw new RequestError(404, "There is no authenticator app to remove.");
          }
          await recordRequest(sql, context, "factor-removed", { detail: APP });
        }),
    }),
    route("DELETE /api/people/:id/factors", {
      summary: "Remove the second steps and passkeys of somebody who has lost them",
      role: "owner",
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
    route("GET /api/passkeys", {
      summary: "List one’s own passkeys",
      role: "viewer",
      answer: parsePasskeys,
      handle: async ({ database, user }) => ({
        items: await database.read((sql) => listPasskeys(sql, user.id)),
      }),
    }),
    route("POST /api/passkeys", {
      summary: "Begin to add a passkey",
      role: "viewer",
      answer: parsePasskeyOptions,
      problems: [409, 429],
      handle: (context) => startPasskey(context),
    }),
    route("POST /api/passkeys/confirm", {
      summary: "Add the passkey that the browser made",
      role: "viewer",
      body: parseNewPasskey,
      answer: parsePasskey,
      statuses: [201],
      problems: [409],
      handle: (context) =>
        confirmPasskey(context, context.body, (sql) =>
          recordRequest(sql, context, "factor-added", { detail: `passkey ${context.body.name}` }),
        ),
    }),
    route("POST /api/passkeys/sign-in", {
      summary: "Begin a sign-in by passkey",
      role: "public",
      answer: parsePasskeyOptions,
      problems: [409, 429],
      handle: (context) => startPasskeySignIn(context),
    }),
    route("DELETE /api/passkeys/:id", {
      summary: "Remove a passkey",
      role: "viewer",
      answer: null,
      problems: [409],
      handle: (context) =>
        context.database.write(async (sql) => {
          const canSignIn = await readCanSignIn(sql, options, context);
          const name = await removePasskey(sql, context.user.id, context.params.id);
          if (name === null) throw new RequestError(404, "This passkey does not exist.");
          await keepWayIn(sql, canSignIn, context.user);
          await recordRequest(sql, context, "factor-removed", { detail: `passkey ${name}` });
        }),
    }),
  ];
}
