import { act, render, screen } from "@testing-library/react";
import { expect, mock, test } from "bun:test";
import { Suspense } from "react";
import { lazyCode, loadCode } from "../../../src/client/ui/lazy-code.ts";

test("lazyCode loads once, however often it is preloaded and shown", async () => {
  const load = mock(async () => ({ default: () => <h1>Arrived</h1> }));
  const Part = lazyCode(load);
  Part.preload();
  Part.preload();
  await act(async () =>
    render(
      <Suspense fallback="Loading…">
        <Part />
      </Suspense>,
    ),
  );
  screen.getByRole("heading", { name: "Arrived" });
  expect(load).toHaveBeenCalledTimes(1);
});

test("loadCode says that a part of the page is missing", async () => {
  const gone = () => Promise.reject(new TypeError("The chunk is gone"));
  await expect(loadCode(gone)).rejects.toThrow(
    "Part of the page didn’t load. Check your connection.",
  );
});
