import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import List from "../../../src/client/domains/list/list.tsx";
import { followOthers } from "../../../src/client/register/follow-others.ts";
import type { News } from "../../../src/shared/news.ts";
import { expectAbsent, press } from "../../support/elements.ts";
import { domainOf, FACETS, fakeApi, pageOf } from "../../support/fake-api.ts";
import { renderScreen } from "../../support/render-screen.tsx";

const api = fakeApi();
let times: string[];
let changes: News["changes"];
let version: number;
let stop = () => {};

beforeEach(async () => {
  [times, changes, version] = [["t1"], [], 1];
  await api.enter({ state: "signed-in", email: "ada@example.com", id: "ada" });
  history.replaceState(null, "", "/domains");
  api.answer = ({ path, query, headers }) => {
    if (path === "/api/facets") return Response.json(FACETS);
    if (path !== "/api/news") {
      return pageOf([domainOf("a.example"), domainOf("b.example", { version })]);
    }
    if (query.has("at")) return Response.json({ times, changes });
    if (headers.get("if-none-match") === `"${times}"`) return new Response(null, { status: 304 });
    return Response.json({ times, changes: [] }, { headers: { ETag: `"${times}"` } });
  };
});

afterEach(() => stop());

/** Somebody changes a domain, and the page asks. */
async function change(byId: string, names = 1): Promise<void> {
  times = [`t${times.length + 1}`, ...times];
  version += 1;
  changes = [
    { by: `${byId}@example.com`, byId, names, domains: [{ id: "id-b.example", version }] },
  ];
  await act(async () => void document.dispatchEvent(new Event("visibilitychange")));
}

describe("followOthers", () => {
  test("marks what others change, and reads it only when the person asks for it", async () => {
    renderScreen(<List />);
    await screen.findByRole("link", { name: "b.example" });
    stop = followOthers();
    await waitFor(() => expect(api.sent("GET /api/news")).toHaveLength(1));
    const reads = api.sent("GET /api/domains").length;
    await change("ada");
    expectAbsent(screen.queryByRole("button", { name: "Show" }));

    await change("eve");
    await screen.findByText("1 domain changed by others.");
    const marked = screen.getByRole("link", { name: "b.example Changed by eve@example.com" });
    expect(marked.querySelector("[title]")?.getAttribute("title")).toBe(
      "Changed by eve@example.com",
    );
    screen.getByRole("link", { name: "a.example" });
    await change("bob", 3);
    await screen.findByText("3 domains changed by others.");
    expectAbsent(screen.queryByText("1 domain changed by others."));
    screen.getByRole("link", { name: "b.example Changed by bob@example.com" });
    expect(api.sent("GET /api/domains")).toHaveLength(reads);

    press("Show");
    await screen.findByRole("link", { name: "b.example" });
    expectAbsent(screen.queryByText("3 domains changed by others."));
    expect(api.sent("GET /api/domains")).toHaveLength(reads + 1);
  });

  test("asks within 15 seconds, only while the page is seen, and once where nothing has changed", async () => {
    jest.useFakeTimers();
    let hidden = false;
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    const pass = () => act(async () => void jest.advanceTimersByTime(15_000));
    try {
      stop = followOthers();
      await act(async () => undefined);
      await pass();
      expect(api.sent("GET /api/news").map(({ headers }) => headers.get("if-none-match"))).toEqual([
        null,
        '"t1"',
      ]);
      hidden = true;
      await pass();
      expect(api.sent("GET /api/news")).toHaveLength(2);
      hidden = false;
      await pass();
      expect(api.sent("GET /api/news")).toHaveLength(3);
    } finally {
      Reflect.deleteProperty(document, "hidden");
      jest.useRealTimers();
    }
  });
});
