import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { problem } from "../../support/fake-api.ts";
import { fakeImports, openWizard, stepHeading } from "../../support/fake-imports.tsx";
import { importOf } from "../../support/import-samples.ts";

const { serve } = fakeImports();

describe("ResultStep", () => {
  test("leads to its domains and to the next file, and lists what an undo has kept", async () => {
    const kept = [{ name: "xn--bcher-kva.example", unicode: "bücher.example", fields: ["owner"] }];
    const done = importOf({ state: "committed", committedAt: "2026-11-21T03:00:00.000Z" });
    const next = importOf({ id: "import-2", fileName: "next.csv" });
    serve([done, next], () => ({
      state: "undone",
      undo: { restored: 1, removed: 2, kept },
    }));
    await openWizard("/domains/import?id=import-1");
    const names = await screen.findByRole("link", { name: "Show these domains" });
    expect(names.getAttribute("href")).toBe("/domains?import=import-1");
    const other = await screen.findByRole("link", { name: "Next file: next.csv" });
    expect(other.getAttribute("href")).toBe("/domains/import?id=import-2");
    fireEvent.click(screen.getByRole("button", { name: "Undo this import" }));
    fireEvent.click(await screen.findByRole("button", { name: "Undo import" }));
    await stepHeading("Import undone");
    const link = screen.getByRole("link", { name: "bücher.example" });
    expect(link.getAttribute("href")).toBe("/domains/xn--bcher-kva.example");
    expect(screen.queryByRole("button", { name: "Undo this import" })).toBeNull();
  });

  test("says why an undo did not work", async () => {
    serve([importOf({ state: "committed" })], () => problem(503, "Too busy."));
    await openWizard("/domains/import?id=import-1");
    fireEvent.click(await screen.findByRole("button", { name: "Undo this import" }));
    fireEvent.click(await screen.findByRole("button", { name: "Undo import" }));
    expect((await screen.findByRole("alert")).textContent).toContain("Too busy.");
  });
});
