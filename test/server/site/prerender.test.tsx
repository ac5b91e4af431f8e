import { afterAll, afterEach, describe, expect, mock, spyOn, test } from "bun:test";
import { prerenderScreen } from "../../../src/server/site/prerender.tsx";
import { resetContexts } from "../../support/reset-contexts.ts";

afterAll(resetContexts);
afterEach(() => mock.restore());

describe("prerenderScreen", () => {
  test("is not influenced by what was rendered before", async () => {
    const before = await prerenderScreen("/home", "Acme");
    await prerenderScreen("/nowhere", "Other");
    expect(await prerenderScreen("/home", "Acme")).toEqual(before);
  });

  test("takes as long as a slow machine needs", async () => {
    spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    expect((await prerenderScreen("/home", "Acme")).markup).toContain("</h1>");
  });

  test("names the screen that fails", async () => {
    spyOn(Date.prototype, "getFullYear").mockImplementation(() => {
      throw new Error("no clock");
    });
    const rendered = prerenderScreen("/domains", "Acme");
    await expect(rendered).rejects.toThrow("screen /domains could not be rendered: no clock");
  });
});
