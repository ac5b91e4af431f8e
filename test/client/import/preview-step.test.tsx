import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { problem } from "../../support/fake-api.ts";
import { fakeImports, ONE, openWizard, stepHeading } from "../../support/fake-imports.tsx";
import { importOf, rowOf } from "../../support/import-samples.ts";
import { expectFocus } from "../../support/focus.ts";

const { api, serve } = fakeImports();

describe("PreviewStep", () => {
  const counts = { ...importOf().counts, new: 3, changed: 1, invalid: 1, withProblems: 1 };
  const preview = importOf({ counts });
  const PREVIEW = "/domains/import?id=import-1&step=preview";

  function serveRows(...answer: Parameters<typeof serve>) {
    serve(...answer);
    const { answer: other } = api;
    api.answer = (call) => {
      if (!call.path.endsWith("/rows")) return other(call);
      const kind = call.query.get("class");
      if (kind === "changed") {
        const twin = { name: "xn--80ak6aa92e.com", unicode: "аррӏе.com" };
        const changes = [{ field: "autoRenew", before: null, after: true }];
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
      const second = call.query.get("after") === "cursor";
      const items = second
        ? [rowOf("three.example")]
        : [rowOf("one.example"), rowOf("two.example")];
      return Response.json({ items, next: second ? null : "cursor" });
    };
  }

  test("shows the rows of a class, page by page, and the class in the address", async () => {
    serveRows([preview]);
    await openWizard(PREVIEW);
    await screen.findByRole("row", { name: /two.example/ });
    fireEvent.click(screen.getByRole("button", { name: "Show more (2 of 3)" }));
    await screen.findByRole("row", { name: /three.example/ });
    expect(screen.queryByRole("button", { name: /Show more/ })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "1 Changed" }));
    const row = await screen.findByRole("row", { name: /changed.example/ });
    expect(row.textContent).toContain("auto-renewunknown → becomes  on");
    const known = within(row).getByRole("link", { name: "changed.example" });
    expect(known.getAttribute("href")).toBe("/domains/changed.example");
    expect(screen.getByText(/looks like another/)).toBeDefined();
    expect(location.search).toBe("?id=import-1&step=preview&class=changed");
    expect(screen.getByRole("button", { name: "1 Changed" }).getAttribute("aria-pressed")).toBe(
      "true",
    );
    fireEvent.click(screen.getByRole("button", { name: "1 Not readable" }));
    expect((await screen.findByRole("row", { name: /no name/ })).textContent).toContain("No name.");
    fireEvent.click(screen.getByRole("button", { name: "0 Same" }));
    expect(await screen.findByText("No row of the file is of this kind.")).toBeDefined();
  });

  test("shows the columns while something is still to be answered", async () => {
    serve([importOf({ ambiguous: [{ code: "no-name" }] })]);
    await openWizard(PREVIEW);
    await stepHeading("Check the columns");
  });

  test("commits once with one key, whatever happens to the answer", async () => {
    let lost = true;
    serveRows([preview], () => {
      if (lost) throw new TypeError("Failed to fetch");
      return { state: "committed" };
    });
    await openWizard(PREVIEW);
    fireEvent.click(await screen.findByRole("button", { name: "Import 4 names" }));
    expect(await screen.findByText(/nothing is written twice/)).toBeDefined();
    lost = false;
    fireEvent.click(screen.getByRole("button", { name: "Import 4 names" }));
    const result = await stepHeading("What was imported");
    await expectFocus(() => result);
    const keys = api
      .sent(`POST ${ONE}/commit`)
      .map(({ headers }) => headers.get("idempotency-key"));
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^[\da-f]{32}$/);
    expect(keys[1]).toBe(keys[0] ?? "");
    expect(sessionStorage.getItem("import-commit-import-1")).toBeNull();
  });

  test("leaves whoever has gone elsewhere meanwhile where they are", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    serveRows([preview]);
    const { answer } = api;
    api.answer = (call) => (call.path.endsWith("/commit") ? promise : answer(call));
    await openWizard(PREVIEW);
    fireEvent.click(await screen.findByRole("button", { name: "Import 4 names" }));
    cleanup();
    history.replaceState(null, "", "/domains");
    resolve(Response.json({ ...preview, state: "committed" }));
    await waitFor(() => expect(sessionStorage).toHaveLength(0));
    expect(location.pathname).toBe("/domains");
  });

  test("remembers across a reload that a commit got no answer", async () => {
    sessionStorage.setItem("import-commit-import-1", "sent-before");
    serveRows([preview], () => ({ state: "committed" }));
    await openWizard(PREVIEW);
    expect(await screen.findByText(/The last try got no answer/)).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Import 4 names" }));
    await stepHeading("What was imported");
    const [call] = api.sent(`POST ${ONE}/commit`);
    expect(call?.headers.get("idempotency-key")).toBe("sent-before");
  });

  test("shows the result where a commit goes on that a reload has cut off", async () => {
    sessionStorage.setItem("import-commit-import-1", "sent-before");
    const held = [preview];
    serveRows(held);
    await openWizard(PREVIEW);
    expect(await screen.findByText(/The last try got no answer/)).toBeDefined();
    expect(screen.queryByText(/Nothing is written yet/)).toBeNull();
    held[0] = { ...preview, state: "committed" };
    await stepHeading("What was imported");
    expect(api.sent(`POST ${ONE}/commit`)).toEqual([]);
    expect(sessionStorage.getItem("import-commit-import-1")).toBeNull();
  });

  test("says why a commit was refused, and takes a fresh key for the next", async () => {
    serveRows([preview], () => problem(409, "The register has changed."));
    await openWizard(PREVIEW);
    fireEvent.click(await screen.findByRole("button", { name: "Import 4 names" }));
    expect((await screen.findByRole("alert")).textContent).toContain("The register has changed.");
    expect(sessionStorage.getItem("import-commit-import-1")).toBeNull();
  });

  test("has nothing to commit where nothing would change", async () => {
    serve([importOf({ counts: { ...counts, new: 0, changed: 0, same: 5 } })]);
    await openWizard(PREVIEW);
    expect(await screen.findByText("The register stays as it is.")).toBeDefined();
    expect(screen.queryByRole("button", { name: /^Import/ })).toBeNull();
  });

  test("shows what another tab has committed meanwhile", async () => {
    serveRows([preview], () => problem(409, "The import was committed before."));
    await openWizard(PREVIEW);
    const commit = await screen.findByRole("button", { name: "Import 4 names" });
    serve([{ ...preview, state: "committed" }], () => problem(409, "It was committed before."));
    fireEvent.click(commit);
    await stepHeading("What was imported");
  });
});
