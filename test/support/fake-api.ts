import { afterEach, beforeEach } from "bun:test";
import { act, cleanup, waitFor } from "@testing-library/react";
import { UNKNOWN_VALUES, type Domain, type Expiry } from "../../src/shared/domain.ts";
import type { Facets } from "../../src/shared/facets.ts";
import type { Session } from "../../src/shared/session.ts";
import { refreshSession, signOut } from "../../src/client/session/session-store.ts";
import { clearNotifications } from "../../src/client/ui/notifications.ts";

/** One call as it reached `fetch`, its body read. */
export interface ApiCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}

type Answer = (call: ApiCall) => Response | Promise<Response>;

const ADA = { state: "signed-in", email: "ada@example.com" } as const;

/**
 * Stands in for the backend in component tests, for states that are hard to reach with a real one.
 * `session` is what `GET /api/token` says; every other call goes to `answer`. With an address, each
 * test begins there, signed in as Ada.
 */
export function fakeApi(address?: string) {
  const api = {
    session: ADA as Session,
    calls: [] as ApiCall[],
    answer: (() => problem(404, "Nothing here.")) as Answer,
    /** Brings the store of the session to what `session` says, whatever a test before left. */
    async enter(session: Session = ADA) {
      api.session = session;
      await act(async () => {
        await signOut();
        await refreshSession();
      });
      sessionStorage.clear();
      api.calls.length = 0;
    },
    /** The calls of one method on one path, such as `GET /api/domains`. */
    sent(what: string) {
      return api.calls.filter(({ method, path }) => `${method} ${path}` === what);
    },
    /** The body of the first such call, once it was made. */
    async bodyLater(what: string) {
      return waitFor(() => {
        const [call] = api.sent(what);
        if (!call) throw new Error(`No ${what}`);
        return call.body;
      });
    },
  };
  const real = globalThis.fetch;

  beforeEach(async () => {
    sessionStorage.clear();
    api.calls.length = 0;
    api.answer = () => problem(404, "Nothing here.");
    const fake = async (url: string, init: RequestInit) => {
      const { pathname, searchParams } = new URL(url, "http://localhost:3000");
      const call: ApiCall = {
        method: init.method ?? "GET",
        path: pathname,
        query: searchParams,
        headers: new Headers(init.headers),
        body: typeof init.body === "string" ? JSON.parse(init.body) : undefined,
      };
      api.calls.push(call);
      if (pathname !== "/api/token") return api.answer(call);
      if (call.method === "GET") return Response.json(api.session);
      if (call.method === "DELETE") return new Response(null, { status: 204 });
      return api.answer(call);
    };
    Object.defineProperty(globalThis, "fetch", { value: fake, configurable: true, writable: true });
    if (address === undefined) return;
    history.replaceState(null, "", address);
    await api.enter();
  });

  afterEach(() => {
    cleanup();
    clearNotifications();
    localStorage.clear();
    Object.defineProperty(globalThis, "fetch", { value: real, configurable: true, writable: true });
    history.replaceState(null, "", "/");
  });

  return api;
}

/** Suggestions of a register in which only registrars have been named. */
export const FACETS: Facets = {
  registrars: [{ value: "Gandi", names: 12 }],
  accounts: [],
  owners: [],
  tags: [],
  tlds: [],
  decisions: [],
  autoRenew: [],
  statuses: [],
  currencies: [],
  custom: [],
  known: [],
  quick: [],
};

export function problem(status: number, detail: string, more: object = {}): Response {
  const body = JSON.stringify({ type: "about:blank", title: "Problem", status, detail, ...more });
  return new Response(body, { status, headers: { "content-type": "application/problem+json" } });
}

export function domainOf(name: string, known: Partial<Domain> = {}): Domain {
  return {
    ...UNKNOWN_VALUES,
    id: `id-${name}`,
    version: 1,
    name,
    unicode: name,
    createdAt: "2026-11-01T10:00:00Z",
    updatedAt: "2026-11-01T10:00:00Z",
    ...known,
  };
}

/** A page of names that is also the last, unless a cursor says otherwise. */
export function pageOf(
  items: Domain[],
  next: string | null = null,
  total = items.length,
): Response {
  return Response.json({ items, next, total });
}

/** A date that a source reports, and those that others do. */
export function expiryOf(
  date: string,
  source = "manual",
  ...others: [date: string, source: string][]
): Expiry {
  const alternatives = others.map(([day, by]) => ({ date: day, source: by, observedAt: "" }));
  return { date, source, observedAt: "", conflict: others.length > 0, alternatives };
}
