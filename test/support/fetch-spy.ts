import { afterEach, beforeEach } from "bun:test";

/** One request as it reached `fetch`. */
export interface Call {
  url: unknown;
  init: RequestInit;
  headers: Headers;
}

export interface Page {
  origin: string;
  path?: string;
  base?: string | null;
  cookie?: string | (() => string);
}

type Answer = (signal: AbortSignal | null | undefined) => Response | Promise<Response>;

/**
 * Puts a recording `fetch` and a page of one's own choice in the place of the real ones, for each
 * test of the file. `location`, `document` and `fetch` are given back afterwards.
 */
export function spyOnFetch() {
  const real = ["fetch", "location", "document"].map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  const calls: Call[] = [];
  const spy = {
    calls,
    answer: (() => Response.json(null)) as Answer,
    lastCall(): Call {
      const call = calls.at(-1);
      if (!call) throw new Error("expected a call of fetch, none came");
      return call;
    },
    visit({ origin, path = "/", base, cookie = "" }: Page) {
      const page = {
        baseURI: base ?? origin + path,
        get cookie() {
          return typeof cookie === "string" ? cookie : cookie();
        },
      };
      put("location", { origin });
      put("document", page);
    },
  };

  beforeEach(() => {
    calls.length = 0;
    spy.answer = () => Response.json(null);
    spy.visit({ origin: "https://app.test", cookie: "XSRF-TOKEN=tok" });
    put("fetch", async (url: unknown, init: RequestInit = {}) => {
      calls.push({ url, init, headers: new Headers(init.headers) });
      return spy.answer(init.signal);
    });
  });

  afterEach(() => {
    for (const [name, descriptor] of real) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    }
  });

  return spy;
}

function put(name: string, value: unknown) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
