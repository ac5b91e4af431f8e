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
import { readSessionCookie, readSessionId, refuseForgery } from "./session/cookies.ts";
import { clientOf, identifySession, sessionRoutes, sweepSessions } from "./session/sessions.ts";
import { type AuthOptions, openAuth } from "./sign-in.ts";
import { apiTokenRoutes, identifyToken, readBearer, sweepApiTokens } from "./session/api-tokens.ts";
import type { Guard } from "../http/answer-request.ts";
import { RequestError } from "../http/request-error.ts";
import { findProxyUser } from "./session/users.ts";
import { judgeAgain } from "./session/rights.ts";

export async function createAuth(
  database: Database,
  options: AuthOptions,
  given: {
    cipher: CredentialCipher;
    outbound: Outbound;
    mailLink: MailLink;
    effects: PersonEffects;
  },
) {
  const { cipher, outbound, mailLink, effects } = given;
  const auth = await openAuth(database, options, cipher);
  const { attempts, owner, signIn } = auth;
  return {
    /** What to print while there is no owner, else null. */
    setUpCode: owner.setUpCode,
    routes: [
      ...createPeopleRoutes(signIn, effects),
      ...createInvitationRoutes(mailLink),
      ...createAuthRoutes(auth),
      ...sessionRoutes,
      createFactorsRoute(signIn),
      ...createTotpRoutes(cipher),
      ...createPasskeyRoutes(signIn),
      ...createOidcRoutes(auth, outbound),
      ...apiTokenRoutes,
    ],
    sweeps: [sweepSessions, attempts.sweep, sweepApiTokens, sweepInvitations, sweepChallenges],
    guard: {
      /** Finds who an API token, else a proxy's header, else a session stands for. */
      async identify(request, peer) {
        const { address, proxyUser } = peer;
        const token = readBearer(request);
        if (token !== null) {
          if (readSessionCookie(request, peer) === null) {
            return identifyToken(database, attempts, { token, address });
          }
          throw new RequestError(400, "Expected an API token or a session cookie, but got both.");
        }
        const id = readSessionId(request, peer);
        if (proxyUser === undefined) {
          return identifySession(database, id, clientOf(request, peer));
        }
        const create = (await owner.exists()) ? signIn.authCreate : null;
        const user = await findProxyUser(database, proxyUser, { create, address });
        // Its cookie is only what the XSRF token is bound to.
        return { session: { id, isStale: false, isProved: true }, user };
      },
      admit(incoming, route) {
        if (!route.hasSecret) refuseForgery(incoming, auth.xsrfSecret);
        return judgeAgain(incoming, route);
      },
    } satisfies Guard,
  };
}
