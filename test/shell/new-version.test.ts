import { afterEach, beforeEach, expect, mock, spyOn, test } from "bun:test";
import { takeNewVersion } from "../../src/shell/new-version.ts";

const mode = process.env.NODE_ENV ?? "test";
let released: (() => void)[] = [];

/** Cancels `new-version` as whoever would lose something does. */
function hold(): void {
  const cancel = (event: Event) => event.preventDefault();
  addEventListener("new-version", cancel);
  released.push(() => removeEventListener("new-version", cancel));
}

beforeEach(() => {
  process.env.NODE_ENV = "production";
  spyOn(globalThis, "fetch").mockImplementation(
    Object.assign(async () => new Response(null, { status: 404 }), { preconnect: () => undefined }),
  );
});
afterEach(() => {
  process.env.NODE_ENV = mode;
  for (const release of released) release();
  released = [];
  document.head.replaceChildren();
  mock.restore();
});

test("takes a new version at the first navigation at which nobody would lose anything", async () => {
  document.head.append(Object.assign(document.createElement("script"), { type: "module" }));
  const reload = spyOn(location, "reload").mockImplementation(() => undefined);
  hold();
  await takeNewVersion();
  expect(reload).not.toHaveBeenCalled();
  for (const release of released) release();
  await takeNewVersion();
  expect(reload).toHaveBeenCalledTimes(1);
});
