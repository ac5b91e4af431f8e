import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import type { Import } from "../../../src/shared/import.ts";
import { hasUnsavedChanges } from "../../../src/client/ui/unsaved-changes.ts";
import { expectAbsent, expectFocus } from "../../support/elements.ts";
import { problem } from "../../support/fake-api.ts";
import { fakeImports, ONE, openWizard, stepHeading } from "../../support/fake-imports.tsx";
import { columnOf, importOf } from "../../support/import-samples.ts";

const { serve, bodies } = fakeImports();

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
  const dated = importOf({
    columns: [name, ends, columnOf("Auth code", { secret: true })],
    ambiguous: [
      {
        code: "date-order",
        column: 1,
        contradictory: false,
        orders: ["dmy", "mdy"],
        samples: ["05/01/2027"],
      },
    ],
  });

  test("asks how dates are written, by example, and waits for the answer", async () => {
    serve([dated], () => ({ dateOrder: "dmy", ambiguous: [] }));
    await openWizard("/domains/import?id=import-1");
    const question = await screen.findByRole("radiogroup", { name: /How are the dates in “Ends”/ });
    const [day, month] = within(question).getAllByRole("radio");
    expect(question.textContent).toContain("January 5, 2027");
    expect(question.textContent).toContain("May 1, 2027");
    fireEvent.click(screen.getByRole("button", { name: "Preview" }));
    await expectFocus(() => day ?? null);
    expect(question.getAttribute("aria-invalid")).toBe("true");
    expectDescription(question, "Answer this question to see the preview.");
    expect(screen.getByText("Answer the question above")).toBeDefined();
    expect(month).toHaveProperty("checked", false);
    if (day) fireEvent.click(day);
    await screen.findByText("2 new");
    expect(bodies(`PATCH ${ONE}`)).toEqual([{ dateOrder: "dmy" }]);
    fireEvent.click(screen.getByRole("button", { name: "Preview" }));
    await stepHeading("Review changes");
    expect(location.search).toBe("?id=import-1&step=preview");
  });

  test("does not ask about dates that the file decides", async () => {
    const sure = { ...ends, dates: { orders: ["dmy" as const], contradictory: false } };
    serve([importOf({ columns: [name, sure], dateOrder: "dmy" })]);
    await openWizard("/domains/import?id=import-1");
    await screen.findByRole("row", { name: /Ends/ });
    expect(screen.queryByRole("radiogroup")).toBeNull();
  });

  test("asks for the registrar, and takes a guess or that nobody knows as an answer", async () => {
    const unknown = importOf({ ambiguous: [{ code: "registrar", guess: "Gandi" }] });
    serve([unknown], ({ body }) => ({
      ambiguous: [],
      defaults: (body as { defaults: Import["defaults"] }).defaults, // As the form sends it.
    }));
    await openWizard("/domains/import?id=import-1");
    const question = await screen.findByRole("group", { name: /Which registrar/ });
    const registrar = () => within(question).getByLabelText<HTMLInputElement>("Registrar");
    expect(registrar().value).toBe("Gandi");
    fireEvent.change(registrar(), { target: { value: "" } });
    expect(screen.getByText("Answer the question above")).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Preview" }));
    await expectFocus(registrar);
    expect(registrar().getAttribute("aria-invalid")).toBe("true");
    expectDescription(
      registrar(),
      "Enter the registrar to see the preview, or choose “I don’t know”.",
    );
    fireEvent.click(within(question).getByRole("checkbox", { name: "I don’t know" }));
    fireEvent.change(within(question).getByLabelText("Account"), { target: { value: "main" } });
    fireEvent.click(screen.getByRole("button", { name: "Preview" }));
    await stepHeading("Review changes");
    expect(bodies(`PATCH ${ONE}`)).toEqual([
      { defaults: { registrar: "", registrarUnknown: false, tags: [] } },
      { defaults: { registrar: "", registrarUnknown: true, account: "main", tags: [] } },
    ]);
  });

  test("keeps the columns that have no meaning as custom fields", async () => {
    const columns = [
      name,
      columnOf("Colour", { samples: ["red"] }),
      columnOf("Size", { samples: ["1"] }),
      columnOf("Blank"),
      columnOf("Password", { secret: true }),
    ];
    serve([importOf({ columns })]);
    await openWizard("/domains/import?id=import-1");
    await screen.findByText(/2 columns are not imported/);
    fireEvent.click(screen.getByRole("button", { name: "Keep as custom fields" }));
    await waitFor(() =>
      expect(bodies(`PATCH ${ONE}`)).toEqual([
        { mapping: ["name", "custom", "custom", "ignore", "ignore"] },
      ]),
    );
  });

  test("does not count a column as not imported while it is asked about", async () => {
    const columns = [
      name,
      columnOf("Net", { samples: ["10"] }),
      columnOf("Gross", { samples: ["12"] }),
      columnOf("Colour", { samples: ["red"] }),
    ];
    serve([
      importOf({ columns, ambiguous: [{ code: "field", field: "renewalPrice", columns: [1, 2] }] }),
    ]);
    await openWizard("/domains/import?id=import-1");
    await screen.findByText(/^1 column is not imported/);
    const question = screen.getByRole("radiogroup", { name: /renewal price/i });
    fireEvent.click(within(question).getByRole("radio", { name: /Gross/ }));
    await screen.findByText(/^2 columns are not imported/);
  });

  test("never offers a secret column", async () => {
    serve([dated]);
    await openWizard("/domains/import?id=import-1");
    const row = await screen.findByRole("row", { name: /Auth code/ });
    expect(within(row).getByText("Not read")).toBeDefined();
    expect(within(row).queryByRole("combobox")).toBeNull();
  });

  test("shows an answered question about dates again, with its answer and what was open", async () => {
    const columns = [name, { ...ends, samples: ["05/01/2027", "05/05/2027", "soon"] }];
    serve([importOf({ columns, dateOrder: "mdy" })], () => ({ dateOrder: "dmy" }));
    await openWizard("/domains/import?id=import-1");
    const answer = await screen.findByRole<HTMLInputElement>("radio", { name: /^Month first/ });
    expect(answer.checked).toBe(true);
    expect(answer.labels?.[0]?.textContent).toBe("Month first05/01/2027 → means  May 1, 2027");
    fireEvent.click(screen.getByRole("radio", { name: /^Day first/ }));
    await waitFor(() => expect(bodies(`PATCH ${ONE}`)).toEqual([{ dateOrder: "dmy" }]));
  });

  test("sends the answers about columns together, once all are there", async () => {
    const columns = ["A", "B", "C", "D"].map((header) => columnOf(header));
    const open2 = importOf({
      columns,
      ambiguous: [{ code: "no-name" }, { code: "field", field: "expires", columns: [1, 2] }],
    });
    serve([open2], () => ({ ambiguous: [] }));
    await openWizard("/domains/import?id=import-1");
    const names = await screen.findByRole("radiogroup", { name: /is the domain name/ });
    const expiry = screen.getByRole("radiogroup", { name: /Which column is the expiry date/ });
    expect(within(names).getAllByRole("radio")).toHaveLength(4);
    fireEvent.click(within(expiry).getByRole("radio", { name: "None of these" }));
    expect(bodies(`PATCH ${ONE}`)).toEqual([]);
    fireEvent.click(within(names).getByRole("radio", { name: /^A/ }));
    const mapping = ["name", "ignore", "ignore", "ignore"];
    await waitFor(() => expect(bodies(`PATCH ${ONE}`)).toEqual([{ mapping }]));
    fireEvent.click(within(expiry).getByRole("radio", { name: /^B/ }));
    await waitFor(() => expect(bodies(`PATCH ${ONE}`)).toHaveLength(2));
    expect(bodies(`PATCH ${ONE}`)[1]).toEqual({
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
    serve([importOf({ columns, ambiguous })], () =>
      down ? problem(503, "Too busy.") : { ambiguous: [] },
    );
    await openWizard("/domains/import?id=import-1");
    const names = await screen.findByRole("radiogroup", { name: /is the domain name/ });
    expect(hasUnsavedChanges()).toBe(false);
    fireEvent.click(within(names).getByRole("radio", { name: /^A/ }));
    expect(hasUnsavedChanges()).toBe(true);
    const expiry = screen.getByRole("radiogroup", { name: /is the expiry date/ });
    fireEvent.click(within(expiry).getByRole("radio", { name: /^B/ }));
    await screen.findByRole("alert");
    expect(hasUnsavedChanges()).toBe(true);
    down = false;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(hasUnsavedChanges()).toBe(false));
    fireEvent.change(screen.getByLabelText("Owner"), { target: { value: "Ada" } });
    expect(hasUnsavedChanges()).toBe(true);
    fireEvent.blur(screen.getByLabelText("Owner"));
    await waitFor(() => expect(hasUnsavedChanges()).toBe(false));
    const mapping = ["name", "expires", "ignore"];
    expect(bodies(`PATCH ${ONE}`)).toEqual([
      { mapping },
      { mapping },
      { defaults: { owner: "Ada", tags: [] } },
    ]);
  });

  test("asks of a single column whether it is the field", async () => {
    const columns = [name, columnOf("Free until", { samples: ["2027-01-05"] })];
    const ambiguous = [{ code: "field" as const, field: "expires" as const, columns: [1] }];
    serve([importOf({ columns, ambiguous })], () => ({ ambiguous: [] }));
    await openWizard("/domains/import?id=import-1");
    const question = await screen.findByRole("radiogroup", {
      name: "Is “Free until” the expiry date?",
    });
    expect(within(question).getByRole("radio", { name: "Yes 2027-01-05" })).toBeDefined();
    fireEvent.click(within(question).getByRole("radio", { name: "No" }));
    const mapping = ["name", "ignore"];
    await waitFor(() => expect(bodies(`PATCH ${ONE}`)).toEqual([{ mapping }]));
  });

  test("moves a meaning from one column to another", async () => {
    const columns = [columnOf("A", { field: "name" }), columnOf("B"), columnOf("C")];
    serve([importOf({ columns })]);
    await openWizard("/domains/import?id=import-1");
    const b = await screen.findByRole("combobox", { name: "Import B as" });
    fireEvent.change(b, { target: { value: "name" } });
    const a = screen.getByRole<HTMLSelectElement>("combobox", { name: "Import A as" });
    expect(a.value).toBe("ignore");
    await waitFor(() =>
      expect(bodies(`PATCH ${ONE}`)).toEqual([{ mapping: ["ignore", "name", "ignore"] }]),
    );
  });

  test("asks which column is the domain name once none is", async () => {
    serve([importOf()]);
    await openWizard("/domains/import?id=import-1");
    const select = await screen.findByRole("combobox", { name: "Import Domain as" });
    fireEvent.change(select, { target: { value: "ignore" } });
    expect(
      screen.getByRole("radiogroup", { name: "Which column is the domain name?" }),
    ).toBeDefined();
    expect(screen.getByText("Answer the question above")).toBeDefined();
    expect(bodies(`PATCH ${ONE}`)).toEqual([]);
  });

  test("tells what holds for every name when a field is left", async () => {
    serve([importOf()]);
    await openWizard("/domains/import?id=import-1");
    const tags = await screen.findByLabelText("Tags");
    fireEvent.change(tags, { target: { value: "web, shop, web" } });
    fireEvent.blur(tags);
    fireEvent.blur(tags);
    await waitFor(() =>
      expect(bodies(`PATCH ${ONE}`)).toEqual([{ defaults: { tags: ["web", "shop"] } }]),
    );
    const currency = screen.getByLabelText("Currency");
    fireEvent.change(currency, { target: { value: "euro" } });
    fireEvent.blur(currency);
    expect(screen.getByText("Use three letters, for example EUR.")).toBeDefined();
    expect(bodies(`PATCH ${ONE}`)).toHaveLength(1);
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
