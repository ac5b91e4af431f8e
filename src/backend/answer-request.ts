import { readSessionId } from "./auth/cookies.ts";
import { isForeign } from "./auth/origin.ts";
import type { Peer } from "../shared/api.ts";
import { isUnavailable } from "./database/database-error.ts";
import { finish } from "./http/answer.ts";
import { problem, tryLater } from "./http/problem.ts";
import { matchMember, matchPublic, TOKEN_PATH, type House, type Visit } from "./routes.ts";

/**
 * Answers one request. First who it is (401), then what it asks for (404, 405), then whether it was
 * meant (403). A bug or a failing database is logged once, here, and answered without its detail.
 */
export async function answerRequest(house: House, request: Request, peer: Peer): Promise<Response> {
  if (!URL.canParse(request.url)) {
    return finish(request, problem(400, "Expected a request with one valid Host"));
  }
  const url = new URL(request.url);
  try {
    const caller = await house.access.sessions.identify(readSessionId(request, peer));
    return finish(request, await route({ house, request, url, peer, caller }));
  } catch (error) {
    // Nobody is left to read the answer, and a client that leaves is no failure of ours.
    const left = request.signal.aborted;
    if (!left) console.error(`${request.method} ${url.pathname} failed:`, error);
    return finish(request, failure(error));
  }
}

async function route(visit: Visit): Promise<Response> {
  const { request, url, caller } = visit;
  if (url.pathname === TOKEN_PATH) {
    const match = matchPublic(request.method, url.pathname);
    if (match.kind === "refused") return match.response;
    return refuseForged(visit) ?? match.handle(visit);
  }
  const { user } = caller;
  if (user === null) return problem(401, "Sign in first: there is no session, or it has ended");
  const match = matchMember(request.method, url.pathname);
  if (match.kind === "refused") return match.response;
  return refuseForged(visit) ?? match.handle({ ...visit, user });
}

/** 403 for what another site made the browser send; reading needs no proof. */
function refuseForged({ house, request, peer, caller }: Visit): Response | null {
  if (request.method === "GET" || request.method === "HEAD") return null;
  if (isForeign(request, peer)) return problem(403, "The request comes from another origin");
  const token = request.headers.get("x-xsrf-token");
  if (house.access.xsrf.verify(token, caller.sessionId)) return null;
  const detail = "Expected X-XSRF-TOKEN with the value of the cookie XSRF-TOKEN of this session";
  return problem(403, `${detail}; GET ${TOKEN_PATH} sets it`);
}

function failure(error: unknown): Response {
  if (isUnavailable(error)) return tryLater(503, "The database cannot be used at this moment", 1);
  return problem(500, "The server failed to answer; its log says why");
}
