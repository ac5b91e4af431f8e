import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import type { Import } from "../../../src/shared/import.ts";
import { hasUnsavedChanges } from "../../../src/client/ui/unsaved-changes.ts";
import { expectAbsent, expectFocus, press, type } from "../../support/elements.ts";
import { problem } from "../../support/fake-api.ts";
import { fakeImports, ONE, openWizard, stepHeading } from "../../support/fake-imports.tsx";
import { columnOf, importOf } from "../../support/import-samples.ts";

const { serve, bodies } = fakeImports();

/** Shows the columns of an import whose edits are taken as `change` says. */
async function open(held: Import, change?: Parameters<typeof serve>[1]) {
  serve([held], change);
  await openWizard("/domains/import?id=import-1");
}

const edits = () => bodies(`PATCH ${ONE}`);

function expectDescription(element: HTMLElement, text: string) {
  const id = element.getAttribute("aria-describedby") ?? "";
  expect(document.getElementById(id)?.textContent).toBe(text);
}

describe("ColumnsStep", () => {
  const name = columnOf("Domain", { field: "name" });
  const ends = columnOf("Ends", {
    field: "expires",
    samples: ["05/01/2027"],
    dates: { orders: ["dmy", "mdy"], contradictory: false },
  });
  test("does not ask about dates that the file decides, and never offers a secret column", async () => {
    const sure = { ...ends, dates: { orders: ["dmy" as const], contradictory: false } };
    const columns = [name, sure, columnOf("Auth code", { secret: true })];
    await open(importOf({ columns, dateOrder: "dmy" }));
    const row = await screen.findByRole("row", { name: /Auth code/ });
    expect(screen.queryByRole("radiogroup")).toBeNull();
    within(row).getByText("Not read");
    expect(within(row).queryByRole("combobox")).toBeNull();
  });

  test("asks for the registrar, and takes a guess or that nobody knows as an answer", async () => {
    const unknown = importOf({ ambiguous: [{ code: "registrar", guess: "Gandi" }] });
    await open(unknown, ({ body }) => ({
      ambiguous: [],
      defaults: (body as { defaults: Import["defaults"] }).defaults, // As the form sends it.
    }));
    const question = await screen.findByRole("group", { name: /Which registrar/ });
    const registrar = () => within(question).getByLabelText<HTMLInputElement>("Registrar");
    expect(registrar().value).toBe("Gandi");
    fireEvent.change(registrar(), { target: { value: "" } });
    screen.getByText("Answer the question above");
    press("Preview");
    await expectFocus(registrar);
    expect(registrar().getAttribute("aria-invalid")).toBe("true");
    expectDescription(
      registrar(),
      "Enter the registrar to see the preview, or choose “I don’t know”.",
    );
    fireEvent.click(within(question).getByRole("checkbox", { name: "I don’t know" }));
    fireEvent.change(within(question).getByLabelText("Account"), { target: { value: "main" } });
    press("Preview");
    await stepHeading("Review changes");
    expect(edits()).toEqual([
      { defaults: { registrar: "", registrarUnknown: false, tags: [] } },
      { defaults: { registrar: "", registrarUnknown: true, account: "main", tags: [] } },
    ]);
  });

  test("keeps the columns that have no meaning, and are not asked about, as custom fields", async () => {
    const columns = [
      name,
      columnOf("Net", { samples: ["10"] }),
      columnOf("Gross", { samples: ["12"] }),
      columnOf("Colour", { samples: ["red"] }),
      columnOf("Blank"),
      columnOf("Password", { secret: true }),
    ];
    const ambiguous = [{ code: "field" as const, field: "renewalPrice" as const, columns: [1, 2] }];
    await open(importOf({ columns, ambiguous }), () => ({ ambiguous: [] }));
    await screen.findByText(/^1 column is not imported/);
    const question = screen.getByRole("radiogroup", { name: /renewal price/i });
    fireEvent.click(within(question).getByRole("radio", { name: /Gross/ }));
    await screen.findByText(/^2 columns are not imported/);
    press("Keep as custom fields");
    const mapping = ["name", "custom", "renewalPrice", "custom", "ignore", "ignore"];
    await waitFor(() => expect(edits().at(-1)).toEqual({ mapping }));
  });

  test("shows an answered question about dates again, with its answer and what was open", async () => {
    const columns = [name, { ...ends, samples: ["05/01/2027", "05/05/2027", "soon"] }];
    await open(importOf({ columns, dateOrder: "mdy" }), () => ({ dateOrder: "dmy" }));
    const answer = await screen.findByRole<HTMLInputElement>("radio", { name: /^Month first/ });
    expect(answer.checked).toBe(true);
    expect(answer.labels?.[0]?.textContent).toBe("Month first05/01/2027 → means  May 1, 2027");
    fireEvent.click(screen.getByRole("radio", { name: /^Day first/ }));
    await waitFor(() => expect(edits()).toEqual([{ dateOrder: "dmy" }]));
  });

  test("sends the answers about columns together, once all are there", async () => {
    const columns = ["A", "B", "C", "D"].map((header) => columnOf(header));
    const open2 = importOf({
      columns,
      ambiguous: [{ code: "no-name" }, { code: "field", field: "expires", columns: [1, 2] }],
    });
    await open(open2, () => ({ ambiguous: [] }));
    const names = await screen.findByRole("radiogroup", { name: /is the domain name/ });
    const expiry = screen.getByRole("radiogroup", { name: /Which column is the expiry date/ });
    expect(within(names).getAllByRole("radio")).toHaveLength(4);
    fireEvent.click(within(expiry).getByRole("radio", { name: "None of these" }));
    expect(edits()).toEqual([]);
    fireEvent.click(within(names).getByRole("radio", { name: /^A/ }));
    const mapping = ["name", "ignore", "ignore", "ignore"];
    await waitFor(() => expect(edits()).toEqual([{ mapping }]));
    fireEvent.click(within(expiry).getByRole("radio", { name: /^B/ }));
    await waitFor(() => expect(edits()).toHaveLength(2));
    expect(edits()[1]).toEqual({
      mapping: ["name", "expires", "ignore", "ignore"],
    });
  });

  test("counts answers as unsaved changes until the server has them", async () => {
    const columns = ["A", "B", "C"].map((header) => columnOf(header));
    const ambiguous: Import["ambiguous"] = [
      { code: "no-name" },
      { code: "field", field: "expires", columns: [1, 2] },
    ];
    let down = true;
    await open(importOf({ columns, ambiguous }), () =>
      down ? problem(503, "Too busy.") : { ambiguous: [] },
    );
    const names = await screen.findByRole("radiogroup", { name: /is the domain name/ });
    expect(hasUnsavedChanges()).toBe(false);
    fireEvent.click(within(names).getByRole("radio", { name: /^A/ }));
    expect(hasUnsavedChanges()).toBe(true);
    const expiry = screen.getByRole("radiogroup", { name: /is the expiry date/ });
    fireEvent.click(within(expiry).getByRole("radio", { name: /^B/ }));
    await screen.findByRole("alert");
    expect(hasUnsavedChanges()).toBe(true);
    down = false;
    press("Try again");
    await waitFor(() => expect(hasUnsavedChanges()).toBe(false));
    type("Owner", "Ada");
    expect(hasUnsavedChanges()).toBe(true);
    fireEvent.blur(screen.getByLabelText("Owner"));
    await waitFor(() => expect(hasUnsavedChanges()).toBe(false));
    const mapping = ["name", "expires", "ignore"];
    expect(edits()).toEqual([{ mapping }, { mapping }, { defaults: { owner: "Ada", tags: [] } }]);
  });

  test("asks of a single column whether it is the field", async () => {
    const columns = [name, columnOf("Free until", { samples: ["2027-01-05"] })];
    const ambiguous = [{ code: "field" as const, field: "expires" as const, columns: [1] }];
    await open(importOf({ columns, ambiguous }), () => ({ ambiguous: [] }));
    const question = await screen.findByRole("radiogroup", {
      name: "Is “Free until” the expiry date?",
    });
    within(question).getByRole("radio", { name: "Yes 2027-01-05" });
    fireEvent.click(within(question).getByRole("radio", { name: "No" }));
    const mapping = ["name", "ignore"];
    await waitFor(() => expect(edits()).toEqual([{ mapping }]));
  });

  test("moves a meaning from one column to another", async () => {
    const columns = [columnOf("A", { field: "name" }), columnOf("B"), columnOf("C")];
    await open(importOf({ columns }));
    const b = await screen.findByRole("combobox", { name: "Import B as" });
    fireEvent.change(b, { target: { value: "name" } });
    const a = screen.getByRole<HTMLSelectElement>("combobox", { name: "Import A as" });
    expect(a.value).toBe("ignore");
    await waitFor(() => expect(edits()).toEqual([{ mapping: ["ignore", "name", "ignore"] }]));
  });

  test("asks which column is the domain name once none is, and waits for the answer", async () => {
    await open(importOf());
    const select = await screen.findByRole("combobox", { name: "Import Domain as" });
    fireEvent.change(select, { target: { value: "ignore" } });
    const question = screen.getByRole("radiogroup", { name: "Which column is the domain name?" });
    press("Preview");
    await expectFocus(() => within(question).getByRole("radio"));
    expect(question.getAttribute("aria-invalid")).toBe("true");
    expectDescription(question, "Answer this question to see the preview.");
    screen.getByText("Answer the question above");
    expect(edits()).toEqual([]);
  });

  test("tells what holds for every name when a field is left", async () => {
    await open(importOf());
    const tags = await screen.findByLabelText("Tags");
    fireEvent.change(tags, { target: { value: "web, shop, web" } });
    fireEvent.blur(tags);
    fireEvent.blur(tags);
    await waitFor(() => expect(edits()).toEqual([{ defaults: { tags: ["web", "shop"] } }]));
    const currency = screen.getByLabelText("Currency");
    fireEvent.change(currency, { target: { value: "euro" } });
    fireEvent.blur(currency);
    screen.getByText("Use three letters, for example EUR.");
    expect(edits()).toHaveLength(1);
  });

  test("never sends an edit that was not taken to another import", async () => {
    const columns = [name, columnOf("Person")];
    serve([importOf({ columns }), importOf({ id: "import-2" })], ({ path }) =>
      path === ONE ? problem(503, "Too busy.") : {},
    );
    await openWizard("/domains/import?id=import-1");
    const person = await screen.findByRole("combobox", { name: "Import Person as" });
    fireEvent.change(person, { target: { value: "owner" } });
    await screen.findByRole("alert");
    act(() => history.pushState(null, "", "/domains/import?id=import-2"));
    await waitFor(() => expectAbsent(screen.queryByRole("alert")));
    const account = await screen.findByLabelText("Account");
    fireEvent.change(account, { target: { value: "main" } });
    fireEvent.blur(account);
    const two = "PATCH /api/imports/import-2";
    await waitFor(() => expect(bodies(two)).toHaveLength(1));
    expect(bodies(two)).toEqual([{ defaults: { account: "main", tags: [] } }]);
  });
});
