import type { Configuration } from "openid-client";
import { urlFor } from "../../shared/api.ts";
import { parseOidcLink, parseSignInChange } from "../../shared/factors.ts";
import { log } from "../../shared/log.ts";
import type { OIDC_FAILURES } from "../../shared/oidc.ts";
import * as p from "../../shared/parse.ts";
import { recordAudit, recordFailedSignIn, recordRequest } from "../audit/audit.ts";
import { hasRows } from "../database/database.ts";
import { RequestError, tryLater } from "../http/request-error.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { originOf, route, type Reply, type RequestContext, type Route } from "../http/route.ts";
import {
  addUser,
  findInvited,
  findUser,
  lockUsers,
  readEmail,
  type StoredUser,
} from "./session/users.ts";
import { saveChallenge, takeChallenge } from "./factors/challenges.ts";
import { roleInWords, withLimit } from "./people/people.ts";
import { sessionCookies } from "./session/cookies.ts";
import { continueSignIn, type Auth } from "./sign-in.ts";
import { randomToken } from "./tokens/secrets.ts";
import {
  keepWayIn,
  readCanSignIn,
  switchPasswords,
  type SignInOptions,
} from "./factors/sign-in-ways.ts";

type Failure = keyof typeof OIDC_FAILURES;
type Context = RequestContext<"", "public">;

const CALLBACK_PATH = "/api/oidc/callback";

const parseFlow = p.object({ state: p.text, nonce: p.text, verifier: p.text, redirectUri: p.text });

/** Who the provider says it is; an e-mail address only where it has verified it. */
interface Identity {
  issuer: string;
  subject: string;
  email: string | null;
}

/** Sign-in through an OpenID Connect provider: the code flow with PKCE, state and nonce. */
export function createOidcRoutes(auth: Auth, outbound: Outbound): Route[] {
  const provider = createProvider(auth.signIn, outbound);
  return [
    route("GET /api/oidc/start", "public", {
      summary: "Begin a sign-in through the provider, which it redirects to",
      answer: "text/html",
      statuses: [303],
      problems: [404, 429],
      async handle(context) {
        const sessionId = context.session.id ?? randomToken();
        const url = await begin(provider, context, sessionId, null);
        if (url === null) return redirect(failurePage(context, "unavailable"));
        return redirect(url, sessionCookies(auth, sessionId, context.peer));
      },
    }),
    route(`GET ${CALLBACK_PATH}`, "public", {
      summary: "Finish a sign-in through the provider, which redirects to it",
      answer: "text/html",
      statuses: [303],
      problems: [404],
      handle: (context) => finish(auth, provider, context),
    }),
    route("POST /api/oidc/link", "limited", {
      summary: "Begin to link an account at the provider",
      answer: parseOidcLink,
      problems: [404, 429],
      async handle(context) {
        const { session, user } = context;
        const url = await begin(provider, context, session.id ?? "", user.id);
        if (url !== null) return { url };
        throw tryLater(503, "The sign-in service cannot be reached. Try again later.", 60);
      },
    }),
    route("DELETE /api/oidc/link", "limited", {
      summary: "Unlink your accounts at the provider",
      answer: null,
      problems: [409],
      handle: (context) =>
        context.database.write(async (sql) => {
          const canSignIn = await readCanSignIn(sql, auth.signIn, context);
          const isRemoved = await hasRows(sql`
            delete from identities where user_id = ${context.user.id} returning subject`);
          if (!isRemoved) return;
          await keepWayIn(sql, canSignIn, context.user);
          await recordRequest(sql, context, "factor-removed", { detail: "sign-in service" });
        }),
    }),
    route("PUT /api/sign-in", "owner", {
      summary: "Switch sign-in by password on or off",
      body: parseSignInChange,
      answer: null,
      problems: [409],
      handle: (context) =>
        context.database.write(async (sql) => {
          const { passwords } = context.body;
          await switchPasswords(sql, auth.signIn, passwords);
          const detail = `passwords ${passwords ? "on" : "off"}`;
          await recordRequest(sql, context, "settings-changed", { detail });
        }),
    }),
  ];
}

/** The provider, asked for its description once; loaded when a person signs in through it. */
function createProvider({ oidc }: SignInOptions, outbound: Outbound) {
  let known: Promise<Configuration | null> | null = null;
  const load = () => import("openid-client");

  async function discover({ issuer, clientId, clientSecret }: NonNullable<typeof oidc>) {
    const client = await load();
    // RFC 8414 §2: a server that names no method knows Basic.
    const authenticate: ReturnType<typeof client.ClientSecretPost> = (server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported;
      const isPost = methods?.includes("client_secret_post") === true;
      const use = isPost ? client.ClientSecretPost : client.ClientSecretBasic;
      return use(clientSecret)(server, ...rest);
    };
    const isLocal = issuer.startsWith("http:");
    return client.discovery(new URL(issuer), clientId, undefined, authenticate, {
      // Without the second, a token that comes over TLS is taken without looking at its signature.
      execute: [
        ...(isLocal ? [client.allowInsecureRequests] : []),
        client.enableNonRepudiationChecks,
      ],
      [client.customFetch]: async (asked, { method, headers, body }) => {
        const url = new URL(asked);
        const answer = await outbound.request(url, {
          method: method === "POST" ? "POST" : "GET",
          headers,
          ...(body && { body: String(body) }),
          // Its own host may be anywhere; others that it names go by the rule of webhooks.
          trusted: url.host === new URL(issuer).host,
          timeoutMs: 10_000,
          maxBytes: 1024 * 1024,
          signal: new AbortController().signal,
        });
        return new Response(answer.body, { status: answer.status, headers: answer.headers });
      },
    });
  }

  /** Null where it cannot be asked. @throws {RequestError} 404 where none is configured. */
  return async () => {
    if (oidc === null) throw new RequestError(404, "No sign-in service is configured here.");
    // A description that fails is one line in the log for all requests that wait for it.
    known ??= discover(oidc).catch((error: unknown) => {
      known = null;
      logProviderFailure(error);
      return null;
    });
    const configuration = await known;
    return configuration && { client: await load(), configuration };
  };
}

type Provider = ReturnType<typeof createProvider>;

async function begin(
  provider: Provider,
  context: Omit<Context, "user">,
  sessionId: string,
  userId: string | null,
): Promise<string | null> {
  const found = await provider();
  if (found === null) return null;
  const { client, configuration } = found;
  const { database, peer } = context;
  const redirectUri = originOf(context) + CALLBACK_PATH;
  const verifier = client.randomPKCECodeVerifier();
  const flow = { state: client.randomState(), nonce: client.randomNonce(), verifier, redirectUri };
  const challenge = { sessionId, userId, value: JSON.stringify(flow), address: peer.address };
  await database.write((sql) => saveChallenge(sql, "oidc", challenge));
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: "openid email",
    state: flow.state,
    nonce: flow.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  return url.href;
}

/** Handles the redirect from the provider: links the identity, or signs its user in. */
async function finish(auth: Auth, provider: Provider, context: Context): Promise<Response> {
  const { database, session, user, url } = context;
  const found = await provider();
  if (found === null) return redirect(failurePage(context, "unavailable"));
  const begun = await takeChallenge(database, "oidc", session.id);
  if (begun === null || (begun.userId !== null && begun.userId !== user?.id)) {
    return redirect(failurePage(context, "expired"));
  }
  const identity = await readIdentity(found, begun.value, url);
  const home = begun.userId === null ? "/home" : "/settings/security";
  const fail = async (failure: Failure, subject: string) => {
    const { address } = context.peer;
    await database.write((sql) => recordFailedSignIn(sql, { subject, address }));
    return redirect(failurePage(context, failure, home));
  };
  if (identity === null) return fail("refused", "sign-in service");
  if (begun.userId !== null) {
    const isLinked = await link(context, begun.userId, identity);
    return redirect(isLinked ? urlFor(context.peer, home) : failurePage(context, "taken", home));
  }
  const account = (await findLinked(context, identity)) ?? (await acceptInvited(context, identity));
  if (account === null || account.disabled)
    return fail(account === null ? "unknown" : "disabled", identity.email ?? "sign-in service");
  const reply: Reply<unknown> = await continueSignIn(auth, context, account, "sign-in service");
  return redirect(urlFor(context.peer, home), reply.headers);
}

/** Exchanges the code in a URL for the identity; null where any check of the answer fails. */
async function readIdentity(
  { client, configuration }: NonNullable<Awaited<ReturnType<Provider>>>,
  flow: string,
  { search }: URL,
): Promise<Identity | null> {
  const { state, nonce, verifier, redirectUri } = parseFlow(JSON.parse(flow));
  try {
    const answer = new URL(redirectUri + search);
    const expected = { expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    const checks = { pkceCodeVerifier: verifier, ...expected };
    const tokens = await client.authorizationCodeGrant(configuration, answer, checks);
    const claims = tokens.claims();
    if (claims === undefined) return null;
    const email = claims["email_verified"] === true ? readEmail(claims["email"]) : null;
    return { issuer: claims.iss, subject: claims.sub, email };
  } catch (error) {
    logProviderFailure(error);
    return null;
  }
}

/** False where the account at the provider belongs to another person here. */
function link(
  { database, judge, user, peer: { address }, now }: Context,
  userId: string,
  { issuer, subject }: Identity,
): Promise<boolean> {
  return database.write(async (sql) => {
    await judge(sql);
    const row = { issuer, subject, user_id: userId, created_at: now.toISOString() };
    const isNew = await hasRows(sql`insert into identities ${sql(row)}
      on conflict (issuer, subject) do nothing returning subject`);
    if (isNew) {
      await recordAudit(sql, { action: "identity-linked", by: user, address, detail: issuer });
    }
    return hasRows(sql`select user_id from identities
      where issuer = ${issuer} and subject = ${subject} and user_id = ${userId}`);
  });
}

/** By issuer and subject, never by the address: that of a person who left may be given to another. */
function findLinked({ database, now }: Context, { issuer, subject }: Identity) {
  return database.write(async (sql) => {
    const [linked] = await sql<{ user_id: string }[]>`
      update identities set signed_in_at = ${now.toISOString()}
      where issuer = ${issuer} and subject = ${subject} returning user_id`;
    return linked === undefined ? null : findUser(sql, sql`id = ${linked.user_id}`);
  });
}

/** Accepts the open invitation of a verified address; null without one, or if it has an account. */
function acceptInvited(
  { database, peer: { address }, now }: Context,
  { issuer, subject, email }: Identity,
): Promise<StoredUser | null> {
  return database.write(async (sql) => {
    await lockUsers(sql);
    const invitation = await findInvited(sql, email);
    if (email === null || invitation === null) return null;
    const given = { email, ...invitation };
    const role = roleInWords(invitation.role, withLimit(invitation).limit);
    const account = await addUser(sql, given, { address, detail: `${role} by ${issuer}` });
    if (account === null) return null;
    const at = now.toISOString();
    const row = { issuer, subject, user_id: account.id, created_at: at, signed_in_at: at };
    await sql`insert into identities ${sql(row)}`;
    return account;
  });
}

function failurePage({ peer }: Pick<Context, "peer">, failure: Failure, path = "/home"): string {
  return urlFor(peer, `${path}#sign-in=${failure}`);
}

function redirect(location: string, headers: [string, string][] = []) {
  return new Response(null, { status: 303, headers: [["Location", location], ...headers] });
}

/** Messages alone: what the provider answered may be a secret. */
function logProviderFailure(error: unknown): void {
  const errors = [error, error instanceof Error ? error.cause : null];
  const told = errors.flatMap((each) => (each instanceof Error ? [each.message] : []));
  log.error(`Sign-in by OIDC failed: ${told.join(": ") || "unknown"}`);
}
