import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, mock, spyOn, test } from "bun:test";
import { type ComponentType, Suspense } from "react";
import { lazyCode, type LazyComponent, loadCode } from "../../../src/client/ui/lazy-code.ts";
import { ErrorBoundary } from "../../../src/client/shell/layout.tsx";

const arrived = { default: () => <h1>Arrived</h1> };
const gone = () => Promise.reject<{ default: ComponentType }>(new TypeError("The chunk is gone"));

const show = (Part: LazyComponent<object>, path = "/a") => (
  <ErrorBoundary resetKey={path}>
    <Suspense fallback="Loading…">
      <Part />
    </Suspense>
  </ErrorBoundary>
);

/** What the server says of this page's version; null where it cannot be reached. */
let versionStatus: number | null = 200;
const reload = mock();
const mode = process.env.NODE_ENV ?? "test";

beforeEach(() => {
  process.env.NODE_ENV = "production";
  versionStatus = 200;
  const answer = async () => {
    if (versionStatus === null) throw new TypeError("offline");
    return new Response(null, { status: versionStatus });
  };
  spyOn(globalThis, "fetch").mockImplementation(
    Object.assign(answer, { preconnect: () => undefined }),
  );
  spyOn(console, "error").mockImplementation(() => undefined);
  spyOn(location, "reload").mockImplementation(reload);
});
afterEach(() => {
  process.env.NODE_ENV = mode;
  reload.mockReset();
  mock.restore();
});

describe("lazyCode", () => {
  test("loads once, however often it is preloaded and shown", async () => {
    const load = mock(async () => arrived);
    const part = lazyCode(load);
    part.preload();
    part.preload();
    await act(async () => render(show(part)));
    screen.getByRole("heading", { name: "Arrived" });
    expect(load).toHaveBeenCalledTimes(1);
  });
});

describe("loadCode", () => {
  test.each([
    ["while the version is the newest", 200],
    ["while the server cannot be reached", null],
  ])("fails %s", async (_, status) => {
    versionStatus = status;
    await expect(loadCode(gone)).rejects.toThrow(
      "Part of the page didn’t load. Check your connection.",
    );
    expect(reload).not.toHaveBeenCalled();
  });
});

describe("ErrorBoundary", () => {
  test("loads the page anew on request where code is missing and the server is there", async () => {
    const part = lazyCode(gone);
    await act(async () => render(show(part)));
    await screen.findByRole("alert");
    await act(async () => screen.getByRole("button", { name: "Try again" }).click());
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test("lets navigation out of a broken screen", async () => {
    const Broken = lazyCode(async () => ({
      default: () => {
        throw new Error("bug");
      },
    }));
    const sound = lazyCode(async () => arrived);
    const view = await act(async () => render(show(Broken)));
    await screen.findByRole("alert");
    await act(async () => view.rerender(show(sound, "/b")));
    screen.getByRole("heading", { name: "Arrived" });
  });
});
