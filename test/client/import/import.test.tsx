import { act, fireEvent, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import ImportNames from "../../../src/client/import/import.tsx";
import { pendingFiles } from "../../../src/client/register/pending-import.tsx";
import { hrefLater, hrefOf, press, pressLater } from "../../support/elements.ts";
import { fakeImports, openWizard, stepHeading } from "../../support/fake-imports.tsx";
import { importOf } from "../../support/import-samples.ts";

const { serve } = fakeImports();

describe("ImportNames", () => {
  test("has its heading in the markup of the server", () => {
    expect(renderToString(<ImportNames />)).toContain(">Import domains</h1>");
  });

  test("says that an import is not there, and leads back to the start", async () => {
    serve([]);
    await openWizard("/domains/import?id=gone");
    expect((await screen.findByRole("alert")).textContent).toContain(
      "This import no longer exists.",
    );
    fireEvent.click(screen.getByRole("link", { name: "Import another file" }));
    await stepHeading("Choose files");
  });
});

describe("ResultStep", () => {
  test("leads to its domains, says what an undo would do, and lists what it has kept", async () => {
    const kept = [{ name: "xn--bcher-kva.example", unicode: "bücher.example", fields: ["owner"] }];
    const done = importOf({ state: "committed", committedAt: "2026-11-21T03:00:00.000Z" });
    serve([done], () => ({ state: "undone", undo: { restored: 1, removed: 2, kept } }));
    await openWizard("/domains/import?id=import-1");
    expect(await hrefLater("Show these domains")).toBe("/domains?import=import-1");
    press("Undo this import");
    await screen.findByText(
      "This removes 2 domains and restores 1 domain. 1 domain keeps edits made since then.",
    );
    press("Undo import");
    await stepHeading("Import undone");
    expect(hrefOf("bücher.example")).toBe("/domains/xn--bcher-kva.example");
    expect(screen.queryByRole("button", { name: "Undo this import" })).toBeNull();
  });

  test("leads to the next of the files that were chosen together, and to no other draft", async () => {
    const draft = importOf({ id: "import-3", fileName: "older.csv" });
    serve([importOf(), importOf({ id: "import-2", fileName: "next.csv" }), draft], () => ({
      state: "committed",
    }));
    pendingFiles.set([new File(["one.example"], "names.csv"), new File(["x.example"], "next.csv")]);
    await openWizard("/domains/import");
    await stepHeading("Check the columns");
    press("Preview");
    await pressLater("Import 2 domains");
    await stepHeading("Import complete");
    expect(await hrefLater("Next file: next.csv")).toBe("/domains/import?id=import-2");
    act(() => history.pushState(null, "", "/domains/import?id=import-3&step=preview"));
    await pressLater("Import 2 domains");
    await stepHeading("Import complete");
    await screen.findByText("older.csv");
    expect(screen.queryByRole("link", { name: /^Next file/ })).toBeNull();
  });
});
