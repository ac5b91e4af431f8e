import type { Database } from "../database/database.ts";
import type { CredentialCipher } from "../outbound/credentials.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { sweepChallenges } from "./factors/challenges.ts";
import { createPasskeyRoutes } from "./factors/passkeys.ts";
import { createFactorsRoute } from "./factors/sign-in-ways.ts";
import { createTotpRoutes } from "./factors/totp.ts";
import { createOidcRoutes } from "./oidc.ts";
import { createInvitationRoutes, sweepInvitations, type MailLink } from "./people/invitations.ts";
import { createPeopleRoutes, type PersonEffects } from "./people/people.ts";
import { createAuthRoutes } from "./routes.ts";
import { hasSessionCookie, readSessionId, refuseForgery } from "./session/cookies.ts";
import { clientOf, identifySession, sessionRoutes, sweepSessions } from "./session/sessions.ts";
import { type Auth, type AuthOptions, openAuth } from "./sign-in.ts";
import { apiTokenRoutes, identifyToken, readBearer, sweepApiTokens } from "./tokens/api-tokens.ts";
import type { Peer } from "../../shared/api.ts";
import type { Guard } from "../http/answer-request.ts";
import { RequestError } from "../http/request-error.ts";
import { findProxyUser } from "./session/users.ts";
import { judgeAgain } from "./session/rights.ts";

interface Given {
  cipher: CredentialCipher;
  outbound: Outbound;
  mailLink: MailLink;
  effects: PersonEffects;
}

export async function createAuth(
  database: Database,
  options: AuthOptions,
  { cipher, outbound, mailLink, effects }: Given,
) {
  const auth = await openAuth(database, options, cipher);
  return {
    /** What to print while there is no owner, else null. */
    setUpCode: auth.owner.setUpCode,
    routes: [
      ...createPeopleRoutes(auth.signIn, effects),
      ...createInvitationRoutes(mailLink),
      ...createAuthRoutes(auth),
      ...sessionRoutes,
      createFactorsRoute(auth.signIn),
      ...createTotpRoutes(cipher),
      ...createPasskeyRoutes(auth.signIn),
      ...createOidcRoutes(auth, outbound),
      ...apiTokenRoutes,
    ],
    sweeps: [sweepSessions, auth.attempts.sweep, sweepApiTokens, sweepInvitations, sweepChallenges],
    guard: {
      identify: (request, peer) => identify(database, auth, request, peer),
      admit(incoming, route) {
        if (!route.hasSecret) refuseForgery(incoming, auth.xsrfSecret);
        return judgeAgain(incoming, route);
      },
    } satisfies Guard,
  };
}

/** Finds who an API token, else a proxy's header, else a session stands for. @throws {RequestError} */
async function identify(database: Database, auth: Auth, request: Request, peer: Peer) {
  const { attempts, owner, signIn } = auth;
  const bearer = readBearer(request);
  if (bearer === null && peer.proxyUser !== undefined) {
    // Its cookie is only what the XSRF token is bound to.
    const session = { id: readSessionId(request, peer), isStale: false, isProved: true };
    const create = (await owner.exists()) ? signIn.authCreate : null;
    const options = { create, address: peer.address };
    return { session, user: await findProxyUser(database, peer.proxyUser, options) };
  }
  if (bearer === null) {
    return identifySession(database, readSessionId(request, peer), clientOf(request, peer));
  }
  if (hasSessionCookie(request, peer)) {
    throw new RequestError(400, "Expected an API token or a session cookie, but got both.");
  }
  return identifyToken(database, attempts, { token: bearer, address: peer.address });
}
