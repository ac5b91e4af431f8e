import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { problem } from "../../support/fake-api.ts";
import { fakeImports, openWizard, stepHeading } from "../../support/fake-imports.tsx";
import { importOf } from "../../support/import-samples.ts";

const { serve } = fakeImports();

describe("ResultStep", () => {
  test("leads to the names of the registrar, and lists what an undo has kept", async () => {
    const kept = [{ name: "xn--bcher-kva.example", unicode: "bücher.example", fields: ["owner"] }];
    serve([importOf({ state: "committed", format: "GoDaddy" })], () => ({
      state: "undone",
      undo: { restored: 1, removed: 2, kept },
    }));
    await openWizard("/domains/import?id=import-1");
    const names = await screen.findByRole("link", { name: "Show domains" });
    expect(names.getAttribute("href")).toBe("/domains?registrar=GoDaddy");
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
