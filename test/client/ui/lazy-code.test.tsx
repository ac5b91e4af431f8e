import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, mock, spyOn, test } from "bun:test";
import { type ComponentType, startTransition, Suspense } from "react";
import {
  lazyCode,
  type LazyComponent,
  loadCode,
  MissingCodeError,
} from "../../../src/client/ui/lazy-code.ts";
import { ErrorBoundary } from "../../../src/client/shell/layout.tsx";
import { addUnsavedChanges } from "../../../src/client/ui/unsaved-changes.ts";

const arrived = { default: () => <h1>Arrived</h1> };
const arrive = async (): Promise<{ default: ComponentType }> => arrived;
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
    expect(screen.getByRole("heading", { name: "Arrived" })).toBeTruthy();
    expect(load).toHaveBeenCalledTimes(1);
  });

  test("loads nothing before it is needed", () => {
    const load = mock(async () => arrived);
    lazyCode(load);
    expect(load).not.toHaveBeenCalled();
  });

  test("keeps a failure until it is renewed", async () => {
    const load = mock(arrive).mockImplementationOnce(gone).mockImplementationOnce(gone);
    const part = lazyCode(load);
    await act(async () => render(show(part)));
    await screen.findByRole("alert");
    part.preload();
    expect(load).toHaveBeenCalledTimes(2);
    versionStatus = null;
    await act(async () => screen.getByRole("button", { name: "Try again" }).click());
    expect(screen.getByRole("heading", { name: "Arrived" })).toBeTruthy();
    expect(reload).not.toHaveBeenCalled();
    expect(load).toHaveBeenCalledTimes(3);
  });
});

describe("loadCode", () => {
  test("asks twice, and no more where the second answer is good", async () => {
    const load = mock(async () => "code").mockImplementationOnce(() => Promise.reject(Error()));
    expect(await loadCode(load)).toBe("code");
    expect(load).toHaveBeenCalledTimes(2);
    expect(reload).not.toHaveBeenCalled();
  });

  test("loads the page of a newer version, and stays open meanwhile", async () => {
    versionStatus = 404;
    const settled = mock();
    void loadCode(gone).then(settled, settled);
    while (reload.mock.calls.length === 0) await Bun.sleep(10);
    await Bun.sleep(0);
    expect(settled).not.toHaveBeenCalled();
  });

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

  test("fails where a new page would lose unsaved changes", async () => {
    versionStatus = 404;
    const release = addUnsavedChanges();
    await expect(loadCode(gone)).rejects.toThrow(MissingCodeError);
    release();
    expect(reload).not.toHaveBeenCalled();
  });
});

describe("ErrorBoundary", () => {
  test("says at once that the screen which was navigated to could not be loaded", async () => {
    const load = mock(gone);
    const sound = lazyCode(arrive);
    const missingPart = lazyCode(load);
    const view = await act(async () => render(show(sound)));
    await act(async () => startTransition(() => view.rerender(show(missingPart, "/b"))));
    await screen.findByRole("alert");
    expect(load).toHaveBeenCalledTimes(2);
  });

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
    expect(screen.getByRole("heading", { name: "Arrived" })).toBeTruthy();
  });
});
