import { describe, expect, test } from "bun:test";
import { HttpError } from "../../../src/client/http.ts";
import {
  callApi,
  getSession,
  refreshSession,
  signIn,
  signOut,
  watchSession,
} from "../../../src/client/session/session-store.ts";
import { fakeApi, problem } from "../../support/fake-api.ts";

const api = fakeApi();
const credentials = { email: "ada@example.com", password: "correct horse battery" };

describe("signIn", () => {
  test("refuses an answer of another shape", async () => {
    api.answer = () => Response.json({ user: "ada" });
    const error = await signIn(credentials).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ kind: "parse" });
  });

  test("tells the other tabs", async () => {
    localStorage.clear();
    api.answer = () => Response.json({ state: "signed-in", email: credentials.email });
    await signIn(credentials);
    expect(localStorage.length).toBe(1);
  });
});

describe("the session", () => {
  /** Holds what `GET /api/token` or another call is answered, until its answer is given. */
  function hold(path: string) {
    const fake = globalThis.fetch;
    const held = Promise.withResolvers<Response>();
    const isHeld = (url: string) => new URL(url, "http://localhost").pathname === path;
    let isFirst = true;
    const fetch = (url: string, init: RequestInit) => {
      if (!isHeld(url) || !isFirst) return fake(url, init);
      isFirst = false;
      return held.promise;
    };
    Object.defineProperty(globalThis, "fetch", { value: fetch, configurable: true });
    return held.resolve;
  }

  test("does not end by an answer that was asked for before the sign-in", async () => {
    const signedIn = { state: "signed-in", email: credentials.email } as const;
    const domains = () => callApi("/api/domains", {}).catch(() => undefined);
    for (const [path, ask, late] of [
      ["/api/token", refreshSession, Response.json({ state: "signed-out" })],
      ["/api/domains", domains, problem(401, "Sign in first.")],
    ] as const) {
      await api.enter({ state: "signed-out" });
      const answer = hold(path);
      const older = ask();
      api.answer = () => Response.json(signedIn);
      await signIn(credentials);
      answer(late);
      await older;
      expect(getSession().state).toBe("signed-in");
    }
  });
});

describe("signOut", () => {
  test("asks for the cookies first, which may be gone", async () => {
    await signOut();
    expect(api.calls.map(({ method }) => method)).toEqual(["GET", "DELETE"]);
  });

  test("works where the browser forbids its storage", async () => {
    await api.enter({ state: "signed-in", email: "ada@example.com" });
    const own = Object.getOwnPropertyDescriptor(globalThis, "sessionStorage");
    const forbidden = {
      configurable: true,
      get() {
        throw new DOMException("The request was denied.", "SecurityError");
      },
    };
    Object.defineProperty(globalThis, "sessionStorage", forbidden);
    await signOut().finally(() => {
      if (own) Object.defineProperty(globalThis, "sessionStorage", own);
    });
    expect(api.sent("DELETE /api/token")).toHaveLength(1);
  });
});

describe("watchSession", () => {
  const restore = async (meanwhile: () => void) => {
    await api.enter({ state: "signed-in", email: "ada@example.com" });
    const end = watchSession(() => undefined);
    window.dispatchEvent(new Event("pagehide"));
    meanwhile();
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    const { state } = getSession();
    await Bun.sleep(0);
    end();
    return [state, getSession().state];
  };

  test("hides, before it asks, what a page that comes back shows of a session that is over", async () => {
    const elsewhere = () => {
      localStorage.setItem("session-changed", "in another tab");
      api.session = { state: "signed-out" };
    };
    expect(await restore(elsewhere)).toEqual(["expired", "expired"]);
  });

  test("leaves a page as it was that comes back to the same session", async () => {
    expect(await restore(() => undefined)).toEqual(["signed-in", "signed-in"]);
  });
});
