import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import type { Import } from "../../../src/shared/import.ts";
import { expectAbsent, expectFocus, hrefOf, press, pressLater } from "../../support/elements.ts";
import { type ApiCall, problem } from "../../support/fake-api.ts";
import { fakeImports, ONE, openWizard, stepHeading } from "../../support/fake-imports.tsx";
import { importOf, rowOf } from "../../support/import-samples.ts";

const { api, serve, bodies } = fakeImports();

describe("PreviewStep", () => {
  const counts = { ...importOf().counts, new: 3, changed: 1, invalid: 1, partly: 1 };
  const preview = importOf({ counts });
  const PREVIEW = "/domains/import?id=import-1&step=preview";

  function serveRows(...answer: Parameters<typeof serve>) {
    serve(...answer);
    const { answer: other } = api;
    api.answer = (call) => {
      if (!call.path.endsWith("/rows") || call.method !== "GET") return other(call);
      const kind = call.query.get("class");
      if (kind === "changed") {
        const twin = { name: "xn--80ak6aa92e.com", unicode: "аррӏе.com" };
        const day = { date: "2027-01-05", conflict: false };
        const changes = [
          { field: "autoRenew", before: null, after: true },
          {
            field: "expires",
            before: { ...day, source: "OVH" },
            after: { ...day, source: "Gandi" },
          },
          { field: "person", before: { id: "1", name: "Ada" }, after: { id: "2", name: "Ada" } },
        ];
        const items = [
          rowOf("changed.example", { class: "changed", changes }),
          rowOf(twin.name, { class: "changed", ...twin }),
        ];
        return Response.json({ items, next: null });
      }
      if (kind === "invalid") {
        const problems = [{ field: "name" as const, code: "invalid-name", detail: "No name." }];
        const items = [rowOf(null, { class: "invalid", line: 9, problems })];
        return Response.json({ items, next: null });
      }
      return Response.json({ items: [rowOf("one.example"), rowOf("two.example")], next: null });
    };
  }

  /** Shows the rows of a preview, which takes changes as `change` says. */
  async function open(held: Import, change?: Parameters<typeof serve>[1]) {
    serveRows([held], change);
    await openWizard(PREVIEW);
  }

  const startCommit = async () => await pressLater("Import 4 domains");

  const edits = () => bodies(`PATCH ${ONE}`);

  /** Takes an edit as it was sent. */
  const takeEdit = ({ body }: ApiCall) => ({ ...(typeof body === "object" && body) });

  test("shows the rows of a class, and the class in the address", async () => {
    await open(preview);
    await screen.findByRole("row", { name: /two.example/ });
    press("Changed 1");
    const row = await screen.findByRole("row", { name: /changed.example/ });
    expect(row.textContent).toContain("auto-renewunknown → becomes  on");
    expect(row.textContent).toContain("January 5, 2027 (OVH) → becomes  January 5, 2027 (Gandi)");
    expect(row.textContent).toContain("personAda → becomes  Ada");
    const known = within(row).getByRole("link", { name: "changed.example" });
    expect(known.getAttribute("href")).toBe("/domains/changed.example");
    await screen.findByText(/Possible lookalike/);
    expect(location.search).toBe("?id=import-1&step=preview&class=changed");
    const changed = screen.getByRole("button", { name: "Changed 1" });
    expect(changed.getAttribute("aria-pressed")).toBe("true");
    press("Invalid 1");
    const invalid = await screen.findByRole("row", { name: /No domain/ });
    expect(invalid.textContent).toContain("No name.");
    expectAbsent(screen.queryByRole("button", { name: /Unchanged/ }));
    cleanup();
    await openWizard(`${PREVIEW}&class=same`);
    await screen.findByText("None.");
  });

  test("leaves rows out, one or a whole class, and says where the rest is", async () => {
    const partly = { ...counts, partly: 2 };
    let refused = true;
    await open(importOf({ counts: partly }), ({ body }) => {
      if (refused) return problem(503, "Too busy.");
      const all = JSON.stringify(body).includes("class");
      return { counts: { ...partly, new: all ? 0 : 2, skipped: all ? 3 : 1 } };
    });
    fireEvent.click(screen.getByRole("link", { name: "Show them" }));
    expect(location.search).toBe("?id=import-1&step=preview&class=partly");
    press("New 3");
    const choice = await screen.findByRole<HTMLInputElement>("checkbox", {
      name: "Import one.example",
    });
    fireEvent.click(choice);
    expect(choice.checked).toBe(false);
    expect((await screen.findByRole("alert")).textContent).toContain("Too busy.");
    expect(choice.checked).toBe(true);
    refused = false;
    fireEvent.click(choice);
    await screen.findByRole("button", { name: "Left out 1" });
    screen.getByRole("button", { name: "Import 3 domains" });
    expect(choice.checked).toBe(false);
    press("Leave all out");
    await screen.findByText("None.");
    expect(bodies(`PATCH ${ONE}/rows`)).toEqual([
      { skip: { ids: ["row-one.example"] }, skipped: true },
      { skip: { ids: ["row-one.example"] }, skipped: true },
      { skip: { class: "new" }, skipped: true },
    ]);
    expect(hrefOf("Download the rows that were left out")).toBe(`${ONE}/left-out.csv`);
  });

  test("asks about values that people set by hand, each field by itself", async () => {
    const byHand = [
      { field: "autoRenew" as const, domains: 12 },
      { field: "owner" as const, domains: 7 },
    ];
    await open(importOf({ counts: { ...counts, byHand } }), takeEdit);
    screen.getByText("19 values that people set by hand differ in the file.");
    const choice = (label: string) => screen.getByLabelText<HTMLSelectElement>(label);
    const shown = (label: string) => choice(label).selectedOptions[0]?.textContent;
    expect(shown("Auto-renew of 12 domains")).toBe("Keep as is");
    expect(shown("Owner of 7 domains")).toBe("Take the file’s");
    fireEvent.change(choice("Owner of 7 domains"), { target: { value: "keep" } });
    await waitFor(() => expect(shown("Owner of 7 domains")).toBe("Keep as is"));
    fireEvent.change(choice("Auto-renew of 12 domains"), { target: { value: "take" } });
    await waitFor(() => expect(shown("Auto-renew of 12 domains")).toBe("Take the file’s"));
    expect(edits()).toEqual([
      { defaults: { keepByHand: ["decision", "autoRenew", "notes", "owner"] } },
      { defaults: { keepByHand: ["decision", "notes", "owner"] } },
    ]);
  });

  test("says first which domains move, and keeps their registrar on request", async () => {
    const moves = [
      { from: "GoDaddy", to: "IONOS", domains: 12 },
      { from: "Namecheap", to: "IONOS", domains: 5 },
    ];
    const moving = { ...counts, moves, secondDates: 17, losing: 3 };
    await open(importOf({ counts: moving, defaults: { owner: "Ada" } }), takeEdit);
    screen.getByText(
      "17 domains move from GoDaddy or Namecheap to IONOS. 17 get a second expiry date.",
    );
    screen.getByText("3 domains are cancelled, on hold or being deleted at the registrar.");
    fireEvent.click(screen.getByRole("checkbox", { name: "Keep their registrar" }));
    await screen.findByText(/^17 domains stay at GoDaddy or Namecheap\./);
    expect(edits()).toEqual([{ defaults: { owner: "Ada", keepRegistrar: true } }]);
    cleanup();
    const one = [{ from: "GoDaddy", to: "IONOS", domains: 1 }];
    await open(importOf({ counts: { ...counts, moves: one } }));
    screen.getByText("1 domain moves from GoDaddy to IONOS.");
    cleanup();
    await open(importOf({ counts: { ...counts, secondDates: 1 } }));
    screen.getByText("1 domain gets a second expiry date.");
    expectAbsent(screen.queryByRole("checkbox", { name: "Keep their registrar" }));
  });

  test("brings archived domains back, and keeps both of two choices that follow each other", async () => {
    const moves = [{ from: "GoDaddy", to: "IONOS", domains: 2 }];
    const byHand = [{ field: "archivedOn" as const, domains: 3 }];
    await open(importOf({ counts: { ...counts, moves, byHand } }), takeEdit);
    screen.getByText("3 domains in the file are archived, and stay archived.");
    for (const name of ["Bring them back", "Keep their registrar"])
      fireEvent.click(screen.getByRole("checkbox", { name }));
    await screen.findByText("3 domains in the file are archived.");
    await waitFor(() =>
      expect(edits()).toEqual([
        { defaults: { bringBack: true } },
        { defaults: { bringBack: true, keepRegistrar: true } },
      ]),
    );
  });

  test("imports what was chosen, and nothing while a choice could not be saved", async () => {
    let saving = Promise.withResolvers<Response>();
    await open(preview, () => ({ state: "committed" }));
    const { answer } = api;
    api.answer = (call) => (call.method === "PATCH" ? saving.promise : answer(call));
    const commits = () => api.sent(`POST ${ONE}/commit`);
    const find = (name: string) => screen.findByRole<HTMLInputElement>("checkbox", { name });
    const choice = await find("Import one.example");
    const other = await find("Import two.example");
    for (const each of [choice, other]) fireEvent.click(each);
    press("Import 4 domains");
    await screen.findByText(/^Importing 4 domains/);
    saving.resolve(problem(503, "Too busy."));
    saving = Promise.withResolvers();
    saving.resolve(Response.json(preview));
    expect((await screen.findByRole("alert")).textContent).toContain("Too busy.");
    await screen.findByText("Nothing is saved yet.");
    expect(commits()).toEqual([]);
    expect([choice.checked, other.checked]).toEqual([true, true]);
    saving = Promise.withResolvers();
    fireEvent.click(choice);
    press("Import 4 domains");
    await screen.findByText(/^Importing 4 domains/);
    expect(commits()).toEqual([]);
    saving.resolve(Response.json({ ...preview, counts: { ...counts, new: 2, skipped: 1 } }));
    await stepHeading("Import complete");
    expect(commits()).toHaveLength(1);
  });

  test("says why rows could not be loaded, and tries again when asked", async () => {
    serveRows([preview]);
    const { answer } = api;
    api.answer = (call) => (call.path.endsWith("/rows") ? problem(503, "Too busy.") : answer(call));
    await openWizard(PREVIEW);
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toContain("Too busy.");
    api.answer = answer;
    press("Try again", within(alert));
    await screen.findByRole("row", { name: /two.example/ });
  });

  test("shows the columns while something is still to be answered", async () => {
    serve([importOf({ ambiguous: [{ code: "no-name" }] })]);
    await openWizard(PREVIEW);
    await stepHeading("Check the columns");
  });

  test("imports nothing twice when the response to a commit is lost", async () => {
    let lost = true;
    await open(preview, () => {
      if (lost) throw new TypeError("Failed to fetch");
      return { state: "committed" };
    });
    await startCommit();
    await screen.findByText(/nothing is imported twice/);
    expect(screen.queryByText("Nothing is saved yet.")).toBeNull();
    lost = false;
    await startCommit();
    const result = await stepHeading("Import complete");
    await expectFocus(() => result);
    const sent = api.sent(`POST ${ONE}/commit`);
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toEqual(["import-1", "import-1"]);
  });

  test.each([
    ["whose response was lost", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["that another tab has made", () => problem(409, "It was committed before.")],
  ])("shows the result of a commit %s", async (_, answer) => {
    await open(preview);
    const { answer: others } = api;
    const committed = Response.json({ ...preview, state: "committed" });
    api.answer = (call) => {
      if (call.path.endsWith("/commit")) return answer();
      return call.path === ONE ? committed.clone() : others(call);
    };
    await startCommit();
    await stepHeading("Import complete");
  });

  test("leaves whoever has gone elsewhere meanwhile where they are", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    serveRows([preview]);
    const { answer } = api;
    api.answer = (call) => (call.path.endsWith("/commit") ? promise : answer(call));
    await openWizard(PREVIEW);
    await startCommit();
    cleanup();
    history.replaceState(null, "", "/domains");
    resolve(Response.json({ ...preview, state: "committed" }));
    await act(async () => promise);
    expect(location.pathname).toBe("/domains");
  });

  test("shows what the rows would do now where the register has changed", async () => {
    const held = [preview];
    serveRows(held, () => {
      held[0] = { ...preview, counts: { ...preview.counts, new: 1 } };
      return problem(409, "The register has changed.");
    });
    await openWizard(PREVIEW);
    await startCommit();
    expect((await screen.findByRole("alert")).textContent).toContain("The register has changed.");
    await screen.findByRole("button", { name: "Import 2 domains" });
  });
});
