import { afterEach, beforeEach, describe, expect, mock, spyOn, test } from "bun:test";
import { askAhead } from "../../src/client/ask-ahead.ts";

const NEEDS = "/assets/later.js /api/summary?today={today}";

let state = "";
let asked: string[] = [];
let deadlines: unknown[] = [];

function openPage(search = "") {
  history.replaceState(null, "", `/home${search}`);
  const script = document.createElement("script");
  script.type = "module";
  script.dataset.needs = NEEDS;
  document.head.append(script);
}

const preloads = () =>
  [...document.head.querySelectorAll("link")].map((link) => link.getAttribute("href"));

beforeEach(() => {
  asked = [];
  deadlines = [];
  const answer = async (url: string | URL | Request, init?: RequestInit) => {
    asked.push(String(url));
    deadlines.push(init?.signal);
    return Response.json({ state });
  };
  spyOn(globalThis, "fetch").mockImplementation(
    Object.assign(answer, { preconnect: () => undefined }),
  );
});
afterEach(() => {
  document.head.replaceChildren();
  localStorage.clear();
  mock.restore();
});

describe("askAhead", () => {
  test("asks for no data where nobody is signed in", async () => {
    for (state of ["signed-out", "set-up"]) {
      document.head.replaceChildren();
      openPage();
      const answers = askAhead();
      await Bun.sleep(0);
      expect([...answers.keys()]).toEqual(["/api/token"]);
      expect(preloads()).toEqual([]);
    }
  });

  test("asks for the screen's data and code for whoever is, as of this device's day", async () => {
    state = "signed-in";
    openPage();
    const answers = askAhead();
    await Bun.sleep(0);
    const now = new Date();
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
      .map((part) => String(part).padStart(2, "0"))
      .join("-");
    expect(asked).toEqual(["/api/token", `/api/summary?today=${day}`]);
    expect([...answers.keys()]).toEqual(asked);
    expect(preloads()).toEqual(["/assets/later.js"]);
    const session = await answers.get("/api/token");
    expect(await session?.json()).toEqual({ state });
  });

  test("asks for everything at once where somebody was signed in when it last asked", async () => {
    state = "signed-in";
    openPage();
    askAhead();
    await Bun.sleep(0);
    document.head.replaceChildren();
    openPage();
    asked = [];
    const answers = askAhead();
    expect(asked).toEqual(["/api/token", expect.stringMatching(/^\/api\/summary\?today=/)]);
    expect([...answers.keys()]).toEqual(asked);
    expect(preloads()).toEqual(["/assets/later.js"]);
    await Bun.sleep(0);
    expect(asked.length).toBe(2);
  });

  test("keeps nothing of that for whoever signs in, where the session is over", async () => {
    state = "signed-in";
    openPage();
    askAhead();
    await Bun.sleep(0);
    state = "signed-out";
    const answers = askAhead();
    await Bun.sleep(0);
    expect([...answers.keys()]).toEqual(["/api/token"]);
    asked = [];
    askAhead();
    expect(asked).toEqual(["/api/token"]);
  });

  test("asks once more for what was refused before the session was renewed", async () => {
    localStorage.setItem("/api/token", "signed-in");
    const renewed = Promise.withResolvers<undefined>();
    let valid = false;
    const answer = async (url: string | URL | Request) => {
      asked.push(String(url));
      if (!String(url).endsWith("/token")) return new Response(null, { status: valid ? 200 : 401 });
      await renewed.promise;
      valid = true;
      return Response.json({ state: "signed-in" });
    };
    spyOn(globalThis, "fetch").mockImplementation(
      Object.assign(answer, { preconnect: () => undefined }),
    );
    openPage();
    const [, summary] = askAhead().values();
    await Bun.sleep(0);
    renewed.resolve(undefined);
    expect((await summary)?.status).toBe(200);
    expect(asked.length).toBe(3);
  });

  test("keeps nothing that was asked for with a session that could not be read", async () => {
    localStorage.setItem("/api/token", "signed-in");
    spyOn(globalThis, "fetch").mockImplementation(
      Object.assign(async () => Promise.reject(new TypeError("offline")), {
        preconnect: () => undefined,
      }),
    );
    openPage();
    const answers = askAhead();
    await Bun.sleep(0);
    expect([...answers.keys()]).toEqual(["/api/token"]);
  });

  test("sends cookies on request only where the session is asked for", async () => {
    localStorage.setItem("/api/token", "signed-in");
    state = "signed-in";
    openPage();
    askAhead();
    const calls = spyOn(globalThis, "fetch").mock.calls;
    const sent = calls.map(([, init]) => [
      init?.credentials,
      new Headers(init?.headers).get("content-type"),
    ]);
    expect(sent).toEqual([
      ["include", "application/json"],
      ["same-origin", "application/json"],
    ]);
  });

  test("does without a storage that is forbidden", async () => {
    state = "signed-in";
    const own = Object.getOwnPropertyDescriptor(globalThis, "localStorage") ?? {};
    const get = () => {
      throw new DOMException("Forbidden", "SecurityError");
    };
    Object.defineProperty(globalThis, "localStorage", { configurable: true, get });
    openPage();
    const answers = askAhead();
    await Bun.sleep(0);
    Object.defineProperty(globalThis, "localStorage", own);
    expect(answers.size).toBe(2);
  });

  test("waits for no body longer than the application would", async () => {
    state = "signed-in";
    const signals = spyOn(AbortSignal, "timeout");
    openPage();
    askAhead();
    await Bun.sleep(0);
    expect(signals.mock.calls).toEqual([[30_000], [30_000]]);
    expect(deadlines).toEqual(signals.mock.results.map(({ value }) => value));
  });

  test("asks for no data of a view of its own", async () => {
    state = "signed-in";
    openPage("?q=shop");
    askAhead();
    await Bun.sleep(0);
    expect(asked).toEqual(["/api/token"]);
  });

  test("asks for nothing where the page names nothing", async () => {
    document.head.append(Object.assign(document.createElement("script"), { type: "module" }));
    expect(askAhead().size).toBe(0);
    expect(asked).toEqual([]);
  });

  test("leaves an answer that cannot be read to whoever reads it", async () => {
    spyOn(globalThis, "fetch").mockImplementation(
      Object.assign(async () => new Response("<!doctype html>"), { preconnect: () => undefined }),
    );
    openPage();
    const session = await askAhead().get("/api/token");
    await Bun.sleep(0);
    expect(await session?.text()).toBe("<!doctype html>");
  });
});
