import { fireEvent, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import ImportNames from "../../../src/client/import/import.tsx";
import { fakeImports, openWizard, stepHeading } from "../../support/fake-imports.tsx";

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
