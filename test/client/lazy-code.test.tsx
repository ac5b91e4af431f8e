import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, mock, spyOn, test } from "bun:test";
import { type ComponentType, startTransition, Suspense } from "react";
import { lazyCode, type LazyComponent } from "../../src/client/lazy-code.ts";
import { CodeMissing, loadCode } from "../../src/client/load-code.ts";
import { ErrorBoundary } from "../../src/client/shell/error-boundary.tsx";

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

/** Whether the server can be reached when code is missing. */
let online = true;
const missing = mock((_event: Event): void => undefined);

beforeEach(() => {
  online = true;
  spyOn(globalThis, "fetch").mockImplementation(
    Object.assign(async () => (online ? new Response() : Promise.reject(new TypeError())), {
      preconnect: () => undefined,
    }),
  );
  spyOn(console, "error").mockImplementation(() => undefined);
  addEventListener("code-missing", missing);
});
afterEach(() => {
  removeEventListener("code-missing", missing);
  missing.mockReset();
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

  test("has no reload made for what was only preloaded", async () => {
    const part = lazyCode(gone);
    part.preload();
    await Bun.sleep(0);
    expect(missing).not.toHaveBeenCalled();
  });

  test("keeps a failure until it is renewed", async () => {
    const load = mock(arrive).mockImplementationOnce(gone).mockImplementationOnce(gone);
    const part = lazyCode(load);
    await act(async () => render(show(part)));
    await screen.findByRole("alert");
    part.preload();
    expect(load).toHaveBeenCalledTimes(2);
    online = false;
    await act(async () => screen.getByRole("button", { name: "Try again" }).click());
    expect(screen.getByRole("heading", { name: "Arrived" })).toBeTruthy();
    expect(load).toHaveBeenCalledTimes(3);
  });
});

describe("loadCode", () => {
  test("asks twice and says nothing where the second answer is good", async () => {
    const load = mock(async () => "code").mockImplementationOnce(() => Promise.reject(Error()));
    expect(await loadCode(load)).toBe("code");
    expect(load).toHaveBeenCalledTimes(2);
    expect(missing).not.toHaveBeenCalled();
  });

  test("asks for a reload where the server can be reached, and stays open if it comes", async () => {
    missing.mockImplementation((event) => event.preventDefault());
    const settled = mock();
    void loadCode(gone).then(settled, settled);
    while (missing.mock.calls.length === 0) await Bun.sleep(10);
    await Bun.sleep(0);
    expect(settled).not.toHaveBeenCalled();
  });

  test("fails where nobody reloads", async () => {
    const failure = await loadCode(gone).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CodeMissing);
    expect(missing).toHaveBeenCalledTimes(1);
  });

  test("asks for no reload while the server cannot be reached", async () => {
    online = false;
    await expect(loadCode(gone)).rejects.toThrow(CodeMissing);
    expect(missing).not.toHaveBeenCalled();
  });
});

describe("ErrorBoundary", () => {
  test("says at once that the screen which was navigated to could not be loaded", async () => {
    online = false;
    const load = mock(gone);
    const sound = lazyCode(arrive);
    const missingPart = lazyCode(load);
    const view = await act(async () => render(show(sound)));
    await act(async () => startTransition(() => view.rerender(show(missingPart, "/b"))));
    await screen.findByRole("alert");
    expect(load).toHaveBeenCalledTimes(2);
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
