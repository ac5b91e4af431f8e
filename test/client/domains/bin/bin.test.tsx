import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "bun:test";
import Bin from "../../../../src/client/domains/bin/bin.tsx";
import type { BinItem } from "../../../../src/shared/operations.ts";
import { press, pressLater, textsOf } from "../../../support/elements.ts";
import { fakeApi, problem } from "../../../support/fake-api.ts";
import { renderScreen } from "../../../support/render-screen.tsx";

const api = fakeApi("/domains/bin");
const item = (name: string, operation: string | null): BinItem => ({
  fileName: null,
  id: `id-${name}`,
  name,
  unicode: name,
  deletedAt: "2026-11-01T10:00:00.000Z",
  deletedBy: "ada@example.com",
  until: "2026-12-01T10:00:00.000Z",
  operation,
});

let items: BinItem[] = [];

beforeEach(() => {
  items = [item("b.example", "both"), item("a.example", "both"), item("c.example", "one")];
  api.answer = ({ method, path, query }) => {
    if (path.includes("/undo")) return Response.json({ restored: 2, kept: [], operation: "undo" });
    if (path.endsWith("/restore")) {
      return Response.json({ restored: 0, taken: ["c.example"], operation: null });
    }
    if (method === "DELETE" && query.get("expectedCount") !== String(items.length)) {
      return problem(
        409,
        `Nothing was deleted: the number of domains in the bin is ${items.length} now.`,
      );
    }
    if (method === "DELETE") items = [];
    return Response.json({ items, next: null, total: items.length });
  };
  renderScreen(<Bin />);
});

describe("Bin", () => {
  test("restores a whole deletion or one domain, and is emptied only after a question", async () => {
    const both = await screen.findByRole("region", {
      name: /^Deleted on Nov 1, 2026.*: a.example$/,
    });
    const one = screen.getByRole("region", { name: /^Deleted on Nov 1, 2026.*: c.example$/ });
    const names = textsOf(within(both).getAllByRole("listitem"));
    expect(names).toEqual(["a.exampleRestore", "b.exampleRestore"]);
    fireEvent.click(within(both).getByRole("button", { name: "Restore all of them" }));
    const plan = within(await screen.findByRole("dialog", { name: "Restore 2 domains?" }));
    expect(api.sent("POST /api/operations/both/undo")).toHaveLength(0);
    press("Restore", plan);
    await screen.findByText("Restored 2 domains.");
    expect(api.sent("POST /api/operations/both/undo")).toHaveLength(1);

    fireEvent.click(within(one).getByRole("button", { name: "Restore c.example" }));
    await screen.findByText("Not restored: c.example has been added again since.");
    expect(api.sent("POST /api/bin/restore")[0]?.body).toEqual({ ids: ["id-c.example"] });

    press("Empty the bin");
    const question = within(screen.getByRole("dialog", { name: "Empty the bin?" }));
    expect(api.sent("DELETE /api/bin")).toHaveLength(0);
    items.push(item("d.example", "later"));
    press("Empty the bin", question);
    await question.findByText("Nothing was deleted: the number of domains in the bin is 4 now.");
    await question.findByText(/^4 domains and all you knew of them/);
    press("Empty the bin", question);
    await screen.findByRole("heading", { name: "The bin is empty" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("says of a deletion which names have been added again", async () => {
    const kept = [{ name: "b.example", unicode: "b.example", fields: ["name"] }];
    let restored = 1;
    const answer = api.answer;
    api.answer = (call) =>
      call.path.includes("/undo")
        ? Response.json({ restored, kept, operation: null })
        : answer(call);
    await pressLater("Restore all of them");
    const plan = within(await screen.findByRole("dialog", { name: "Restore 1 domain?" }));
    plan.getByText("1 domain stays as it is: b.example (added again since).");
    restored = 0;
    press("Restore", plan);
    await screen.findByText("Nothing to restore. Not restored: b.example (added again since).");
  });

  test("restores once, however often it is pressed, and says that it was not restored", async () => {
    const held = Promise.withResolvers<void>();
    const answer = api.answer;
    api.answer = async (call) => {
      if (call.method === "GET") return answer(call);
      await held.promise;
      return call.path.endsWith("/foretell")
        ? Response.json({ restored: 1, kept: [], operation: null })
        : problem(503, "Busy.");
    };
    const one = await screen.findByRole("button", { name: "Restore c.example" });
    const all = screen.getByRole("button", { name: "Restore all of them" });
    for (const pressed of [one, one, all, all]) fireEvent.click(pressed);
    expect([one, all].map((each) => each.getAttribute("aria-disabled"))).toEqual(["true", "true"]);
    held.resolve();
    await screen.findByText("Not restored. Busy.");
    await waitFor(() => expect(all.getAttribute("aria-disabled")).toBe("false"));
    expect(screen.queryByText(/Not undone/)).toBeNull();
    const sent = api.calls.filter(({ method }) => method === "POST").map(({ path }) => path);
    expect(sent.toSorted()).toEqual([
      "/api/bin/restore",
      "/api/operations/both/undo",
      "/api/operations/both/undo/foretell",
    ]);
  });
});
