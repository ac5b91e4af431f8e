import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "bun:test";
import type { Domain } from "../../../../src/shared/domain.ts";
import Domains from "../../../../src/client/domains/list/list.tsx";
import { registerChanged } from "../../../../src/client/register/undo.ts";
import {
  type ApiCall,
  domainOf,
  FACETS,
  fakeApi,
  pageOf,
  problem,
} from "../../../support/fake-api.ts";
import { press } from "../../../support/elements.ts";
import { choose, detailOf } from "../../../support/fake-detail.tsx";
import { renderScreen } from "../../../support/render-screen.tsx";

const api = fakeApi("/domains");
const one = domainOf("one.example");

afterEach(() => void Object.assign(window, { innerWidth: 1024 }));

type More = (call: ApiCall) => Response | Promise<Response> | undefined;

/** Answers with rows, and anything else as `more` says. */
function holds(rows: Domain[], more: More = () => undefined) {
  api.answer = (call) => {
    if (call.path === "/api/domains" && call.method === "GET") return pageOf(rows);
    return more(call) ?? problem(404, "Nothing here.");
  };
}

async function open(rows: Domain[], more?: More) {
  holds(rows, more);
  renderScreen(<Domains />);
  await screen.findByRole("link", { name: rows[0]?.name ?? "" });
}

/** Opens a domain beside the list. */
async function openPanel(name: string) {
  Object.assign(window, { innerWidth: 1600 });
  fireEvent.click(screen.getByRole("link", { name }));
  await screen.findByRole("heading", { name });
}

/** The open menu of a row. */
function openMenu(name: string) {
  const button = screen.getByRole("button", { name: `Actions for ${name}` });
  fireEvent.click(button);
  return within(button.parentElement ?? document.body);
}

/** The register has changed: the list loads again. */
const reload = () => act(registerChanged);
const decide: More = ({ method, path }) =>
  method !== "PATCH"
    ? undefined
    : Response.json({
        ...one,
        id: path.slice("/api/domains/".length),
        version: 2,
        operation: "op",
      });

describe("the actions of a row", () => {
  test("stay with the domain, and the version of it, for which the menu was opened", async () => {
    await open([one]);
    const menu = openMenu("one.example");
    holds([domainOf("new.example"), { ...one, version: 7 }], decide);
    reload();
    await screen.findByRole("link", { name: "new.example" });
    press("Drop", menu);
    await screen.findByText(/one\.example/, { selector: ".notifications p" });
    const changes = api.calls.filter(({ method }) => method !== "GET");
    expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "PATCH /api/domains/id-one.example",
    ]);
    expect(changes[0]?.body).toEqual({ decision: "drop" });
    expect(changes[0]?.headers.get("if-match")).toBe('"1"');
  });

  test("are refused where somebody else was first, and the list shows what they saved", async () => {
    await open([one]);
    const current = { ...one, version: 5, registrar: "Gandi" };
    // What the list was reading again is not lost.
    const late = Promise.withResolvers<Response>();
    api.answer = () => late.promise;
    reload();
    holds([current, domainOf("new.example")], ({ method }) =>
      method !== "PATCH" ? undefined : problem(412, "Someone else has changed it.", { current }),
    );
    fireEvent.click(openMenu("one.example").getByRole("button", { name: "Keep" }));
    await screen.findByText(
      "Your change to one.example was not saved. Someone else has changed it.",
    );
    await screen.findByRole("link", { name: "Gandi" });
    await screen.findByRole("link", { name: "new.example" });
  });

  test.each(["deleted", "left the list"])("leave nothing selected that has %s", async (how) => {
    const two = domainOf("two.example");
    await open([one, two], (call) => {
      if (call.method === "DELETE") return Response.json({ operation: "op" });
      return call.path === "/api/domains/bulk"
        ? Response.json({ matched: 1, changed: 1, operation: "op" })
        : decide(call);
    });
    for (const { name } of [one, two])
      fireEvent.click(screen.getByRole("checkbox", { name: `Select ${name}` }));
    await screen.findByText("2 domains selected");
    const menu = openMenu("one.example");
    if (how === "deleted") {
      press("Delete", menu);
      const dialog = within(await screen.findByRole("dialog"));
      press("Delete", dialog);
    } else {
      const { answer } = api;
      api.answer = (call) =>
        call.path === "/api/domains" && call.method === "GET" ? pageOf([two]) : answer(call);
      press("Keep", menu);
    }
    await screen.findByText("1 domain selected");
    press("Drop");
    await screen.findByText("1 domain marked Drop.");
    expect(api.sent("POST /api/domains/bulk")[0]?.body).toMatchObject({
      select: { ids: ["id-two.example"] },
    });
  });

  test("change the panel, and the counts of the filters, too", async () => {
    const dropped = { ...one, decision: "drop" as const, version: 2 };
    let now: Domain = one;
    await open([one], ({ path, method }) => {
      if (method === "PATCH") {
        now = dropped;
        return Response.json({ ...dropped, operation: "op" });
      }
      if (path === "/api/facets") return Response.json(FACETS);
      return path === "/api/domains/one.example" ? Response.json(detailOf(now)) : undefined;
    });
    await openPanel("one.example");
    const before = api.sent("GET /api/facets").length;
    fireEvent.click(openMenu("one.example").getByRole("button", { name: "Drop" }));
    await waitFor(() => expect(api.sent("GET /api/domains/one.example")).toHaveLength(2));
    expect(api.sent("GET /api/facets").length).toBeGreaterThan(before);
  });
});

describe("the panel", () => {
  test("stays beside a form for a new domain, and after that", async () => {
    await open([one], ({ path }) =>
      path === "/api/domains/one.example" ? Response.json(detailOf(one)) : undefined,
    );
    await openPanel("one.example");
    press("Add a domain");
    const form = within(await screen.findByRole("dialog"));
    expect(location.search).toBe("?open=one.example&add=");
    press("Cancel", form);
    await waitFor(() => expect(location.search).toBe("?open=one.example"));
  });
});

describe("a change in the panel", () => {
  test("is told of where it fails after the next domain was opened", async () => {
    const answer = Promise.withResolvers<Response>();
    const details = ["one.example", "two.example"].map((name) => detailOf(domainOf(name)));
    await open(details, ({ path, method }) => {
      if (method === "PATCH") return answer.promise;
      if (path.endsWith("/history")) return Response.json({ items: [], next: null });
      const detail = details.find(({ name }) => path === `/api/domains/${name}`);
      return detail && Response.json(detail);
    });
    await openPanel("one.example");
    await choose("Decision", "Drop");
    await openPanel("two.example");
    answer.resolve(problem(503, "Too busy."));
    await screen.findByText("Your change to one.example was not saved. Too busy.");
  });
});
