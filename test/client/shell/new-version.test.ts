import { afterEach, beforeEach, expect, mock, spyOn, test } from "bun:test";
import { holdPage } from "../../../src/client/hold-page.ts";
import { takeNewVersion } from "../../../src/client/shell/new-version.ts";

const mode = process.env.NODE_ENV ?? "test";

beforeEach(() => {
  process.env.NODE_ENV = "production";
  spyOn(globalThis, "fetch").mockImplementation(
    Object.assign(async () => new Response(null, { status: 404 }), { preconnect: () => undefined }),
  );
});
afterEach(() => {
  process.env.NODE_ENV = mode;
  document.head.replaceChildren();
  mock.restore();
});

test("takes a new version at the first navigation at which nobody would lose anything", async () => {
  document.head.append(Object.assign(document.createElement("script"), { type: "module" }));
  const reload = spyOn(location, "reload").mockImplementation(() => undefined);
  const release = holdPage(async () => "");
  await takeNewVersion();
  expect(reload).not.toHaveBeenCalled();
  release();
  await takeNewVersion();
  expect(reload).toHaveBeenCalledTimes(1);
});
