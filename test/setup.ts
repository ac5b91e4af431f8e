import { GlobalRegistrator } from "@happy-dom/global-registrator";
import { afterEach, setDefaultTimeout, setSystemTime } from "bun:test";

/**
 * A document for the component tests. happy-dom also replaces what Bun has of its own and what the
 * tests of server and backend rely on: those are given back.
 */
const BUN_OWN = [
  "fetch",
  "Request",
  "Response",
  "Headers",
  "FormData",
  "Blob",
  "File",
  "URL",
  "URLSearchParams",
  "AbortController",
  "AbortSignal",
  "ReadableStream",
  "WritableStream",
  "TransformStream",
  "TextEncoder",
  "TextDecoder",
  "WebSocket",
  "Buffer",
  "crypto",
  "performance",
  "queueMicrotask",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
  "structuredClone",
  "BroadcastChannel",
] as const;

const own = BUN_OWN.map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
);
GlobalRegistrator.register({ url: "http://localhost:3000/" });
for (const [name, descriptor] of own) {
  if (descriptor) Object.defineProperty(globalThis, name, { ...descriptor, configurable: true });
}

const { cleanup, configure } = await import("@testing-library/react");

// Of `findBy…` and `waitFor`: it only bounds how long a failure takes, on a machine that is busy, too.
configure({ asyncUtilTimeout: 60_000 });

/** After each test the screen is empty, and the clock is right again. */
afterEach(() => {
  cleanup();
  setSystemTime();
});

// As in run.ts, for `bun test <file>`: Bun applies what a preload sets to the first file only.
setDefaultTimeout(180_000);
