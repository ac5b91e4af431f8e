import { act, fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "bun:test";
import { ExportLink } from "../../../../src/client/domains/list/export.tsx";
import { Gate } from "../../../../src/client/session/gate.tsx";
import { DEFAULT_SORT } from "../../../../src/shared/view.ts";
import { fakeApi, problem } from "../../../support/fake-api.ts";

const api = fakeApi();

beforeEach(() => api.enter({ state: "signed-in", email: "ada@example.com" }));

/** Shows the link; the clicks that are left to the browser, which downloads the file, are counted. */
async function open() {
  await act(async () =>
    render(
      <Gate waiting={null}>
        <ExportLink view={{ filter: { q: "x" }, sort: DEFAULT_SORT }} />
      </Gate>,
    ),
  );
  const link = screen.getByRole("link", { name: "Export" });
  const downloads: Event[] = [];
  link.parentElement?.addEventListener("click", (event) => {
    if (!event.defaultPrevented) downloads.push(event);
    event.preventDefault();
  });
  return { downloads, press: () => act(async () => void fireEvent.click(link)) };
}

describe("ExportLink", () => {
  test.each([200, 405])("downloads the file where the question gets %i", async (status) => {
    api.answer = () => new Response(null, { status });
    const { downloads, press } = await open();
    await press();
    expect(api.sent("HEAD /api/domains.csv")[0]?.query.get("q")).toBe("x");
    expect(downloads).toHaveLength(1);
    await press();
    expect(api.calls.filter(({ method }) => method === "HEAD")).toHaveLength(2);
    expect(downloads).toHaveLength(2);
  });

  test("brings the sign-in form, and no file, where the session has ended", async () => {
    api.answer = () => problem(401, "Sign in first.");
    const { downloads, press } = await open();
    await press();
    expect(await screen.findByRole("heading", { name: "Sign in again" })).toBeDefined();
    expect(downloads).toHaveLength(0);
  });

  test("says why there is no file", async () => {
    api.answer = () => new Response(null, { status: 503 });
    const { downloads, press } = await open();
    await press();
    expect((await screen.findByRole("alert")).textContent).toContain("Nothing was exported.");
    expect(downloads).toHaveLength(0);
  });
});
