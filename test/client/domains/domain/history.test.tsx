import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { expectAbsent, hrefLater, press, pressLater } from "../../../support/elements.ts";
import { detailOf, fakeDetail } from "../../../support/fake-detail.tsx";

const { api, open } = fakeDetail();

const BY = { at: "2026-11-01T10:00:00Z", by: "ada@example.com", action: "edited" };
const OWNER = [{ field: "owner", before: null, after: "Ada" }];

/** Answers with a history, and with what an undo gives. */
function tells(items: readonly object[], undone: object = {}) {
  api.answer = ({ path }) => {
    if (path.includes("/undo")) return Response.json(undone);
    return Response.json(path.endsWith("/history") ? { items, next: null } : detailOf());
  };
}

describe("History", () => {
  test("tells what happened, and more of it when asked", async () => {
    const change = (id: string, field: string, before: unknown, after: unknown) => {
      return { ...BY, id, fields: [{ field, before, after }] };
    };
    api.answer = ({ path, query }) => {
      if (!path.endsWith("/history")) return Response.json(detailOf());
      if (query.has("after")) {
        const renewal = { minor: 1200, currency: "EUR", years: 1 };
        const person = change("0", "person", { id: "p", name: "Grace" }, null);
        const archived = change("3", "archivedOn", null, "2026-11-01");
        const items = [change("1", "renewal", null, renewal), person, archived];
        return Response.json({ items, next: null });
      }
      const day = { date: "2027-05-05", source: "manual", conflict: false };
      const report = change("4", "observation", null, "2027-05-06");
      return Response.json({ items: [change("2", "expires", null, day), report], next: "2" });
    };
    open();
    await screen.findByText("May 5, 2027 (set by hand)");
    screen.getByText("reported date");
    press("Show older changes");
    await screen.findByText("€12.00");
    screen.getByText("unassigned");
    screen.getByText("not archived");
    screen.getByText("May 5, 2027 (set by hand)");
    expectAbsent(screen.queryByRole("button", { name: "Show older changes" }));
  });

  test("undoes a change, says what it kept, and can do it again", async () => {
    const added = { ...BY, fields: OWNER, action: "added" };
    const items = [
      { ...added, id: "2", operation: "restoring" },
      { ...added, id: "1" },
    ];
    const kept = [{ name: "a.example", unicode: "a.example", fields: ["autoRenew"] }];
    const response = Promise.withResolvers<void>();
    tells(items, { restored: 3, kept, operation: "undoing" });
    const { answer } = api;
    api.answer = async (call) => {
      if (call.path.includes("/undo")) await response.promise;
      return answer(call);
    };
    open();
    await pressLater(/^Undo: restored/);
    await screen.findByText("Just a moment…");
    response.resolve();
    // An operation may be of many domains: it is said first what its undo would do.
    const dialog = within(await screen.findByRole("dialog"));
    dialog.getByRole("heading", { name: "Undo for 3 domains?" });
    press("Undo", dialog);
    const told = "Change undone for 3 domains. Changed since, so kept: a.example (auto-renew).";
    await screen.findByText(told);
    expectAbsent(screen.queryByText("Just a moment…"));
    expect(api.sent("POST /api/operations/restoring/undo")).toHaveLength(1);
    press("Redo");
    await waitFor(() => expect(api.sent("POST /api/operations/undoing/undo")).toHaveLength(1));
    await screen.findByText(/^Change redone for 3 domains/);
    screen.getByRole("button", { name: "Undo" });
  });

  test("offers to undo only what still stands", async () => {
    const edit = (id: string, before: unknown, after: unknown) => {
      return { ...BY, id, operation: `op-${id}`, fields: [{ field: "owner", before, after }] };
    };
    const items = [edit("3", "Grace", "Ada"), edit("2", "Ada", "Grace"), edit("1", null, "Ada")];
    tells(items, { restored: 1, kept: [], operation: "undoing" });
    open();
    await screen.findByText("History");
    const buttons = await screen.findAllByRole("button", { name: /^Undo: owner/ });
    fireEvent.click(buttons[0] ?? document.body);
    await waitFor(() => expect(api.sent("POST /api/operations/op-3/undo")).toHaveLength(1));
    // The second was undone by the third; what the first had set stands again.
    expect(buttons).toHaveLength(2);
  });

  test("leads from a change to the import that made it", async () => {
    const file = { import: "import-1", fileName: "gandi.csv" };
    tells([{ ...BY, ...file, id: "1", action: "added", fields: [] }]);
    open();
    expect(await hrefLater("gandi.csv")).toBe("/domains/import?id=import-1&step=result");
  });
});
