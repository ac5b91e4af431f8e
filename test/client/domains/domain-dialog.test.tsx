import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import type { Domain } from "../../../src/shared/domain.ts";
import { DEFAULT_SETTINGS } from "../../../src/shared/settings.ts";
import List from "../../../src/client/domains/list/list.tsx";
import { expectAbsent, expectFocus, pressLater } from "../../support/elements.ts";
import {
  FACETS,
  type ApiCall,
  domainOf,
  fakeApi,
  pageOf,
  problem,
} from "../../support/fake-api.ts";
import { renderScreen } from "../../support/render-screen.tsx";

const api = fakeApi("/domains");
const kept = domainOf("kept.example", { owner: "Ada", registrar: "Gandi" });

/** Lists `items`, and `later` once a change was asked for, and hands every other call to `change`. */
function answer(items: Domain[], change: (call: ApiCall) => Response, later = items) {
  api.answer = (call) => {
    if (call.method !== "GET") return change(call);
    if (call.query.get("archived") === "any") return pageOf([]);
    return pageOf(api.calls.some(({ method }) => method !== "GET") ? later : items);
  };
}

const dialog = () => screen.getByRole("dialog");
const inDialog = (name: string) => within(dialog()).getByRole("button", { name });
const field = (label: string) => within(dialog()).getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) =>
  fireEvent.change(field(label), { target: { value } });
const closed = () => waitFor(() => expectAbsent(screen.queryByRole("dialog", { hidden: true })));

/** The row of the name that was kept, in the table of the screen. */
const keptRow = () => screen.getByRole("row", { name: /kept.example/ }).textContent;

async function open(button: string) {
  renderScreen(<List />);
  await pressLater(button);
  await screen.findByRole("dialog");
}

/** Chooses from the menu of the row of `kept`. */
async function openFromMenu(action: string) {
  renderScreen(<List />);
  const row = await screen.findByRole("row", { name: /kept.example/ });
  fireEvent.click(within(row).getByRole("button", { name: "Actions for kept.example" }));
  fireEvent.click(within(row).getByRole("button", { name: action, hidden: true }));
  await screen.findByRole("dialog");
}

/** Gives `kept` another owner. */
async function saveOwner() {
  await openFromMenu("Edit");
  type("Owner", "Grace");
  fireEvent.click(inDialog("Save"));
}

describe("DomainDialog", () => {
  test("adds another one at the same place, with suggestions and the usual currency", async () => {
    api.answer = ({ method, path }) => {
      if (method === "POST") {
        return Response.json({ ...domainOf("new.example"), operation: "op" }, { status: 201 });
      }
      if (path === "/api/settings") return Response.json({ ...DEFAULT_SETTINGS, currency: "CHF" });
      const facets = { ...FACETS, known: [{ value: "IONOS", names: 0 }] };
      return path === "/api/facets" ? Response.json(facets) : pageOf([kept]);
    };
    await open("Add a domain");
    await waitFor(() => {
      const options = dialog().querySelector(`#${CSS.escape(field("Registrar").list?.id ?? "")}`);
      // The first is in use; the other is known, and has none yet.
      expect(options?.innerHTML).toBe(
        '<option value="Gandi">12 domains</option><option value="IONOS"></option>',
      );
    });
    type("Domain name", "https://www.new.example/shop");
    within(dialog()).getByText("Read as new.example");
    type("Registrar", "Gandi");
    type("Renewal price", "12.50");
    expect(field("Currency").value).toBe("CHF");
    type("Tags", "shop, client");
    fireEvent.keyDown(field("Tags"), { key: "Enter" });
    fireEvent.click(inDialog("Remove tag shop"));
    type("Sold on", "2026-10-31");
    fireEvent.click(inDialog("Save and add another"));
    await within(dialog()).findByText("Added new.example.");
    // Below the dialog it could be seen, but not pressed.
    expectAbsent(screen.queryByRole("button", { name: "Undo", hidden: true }));
    expect(api.sent("POST /api/domains")[0]?.body).toEqual({
      name: "https://www.new.example/shop",
      registrar: "Gandi",
      renewal: { minor: 1250, currency: "CHF", years: null },
      tags: ["client"],
      soldOn: "2026-10-31",
    });
    expect([field("Domain name").value, field("Registrar").value]).toEqual(["", "Gandi"]);
    await expectFocus(() => field("Domain name"));
    fireEvent.click(inDialog("Cancel"));
    await closed();
    await screen.findByRole("button", { name: "Undo" });
  });

  test("restores what was typed for a new domain at its address only", async () => {
    answer([kept], () => problem(500, "No."));
    history.replaceState(null, "", "/domains?add");
    const first = renderScreen(<List />);
    await screen.findByRole("dialog");
    type("Domain name", "co.uk");
    await waitFor(() => expect(sessionStorage.getItem("domain-draft")).toContain("co.uk"));
    first.unmount();
    history.replaceState(null, "", "/domains?registrar=Gandi");
    const other = renderScreen(<List />);
    await screen.findByRole("link", { name: kept.unicode });
    expectAbsent(screen.queryByRole("dialog"));
    other.unmount();
    history.replaceState(null, "", "/domains?add");
    renderScreen(<List />);
    await screen.findByRole("dialog");
    expect(field("Domain name").value).toBe("co.uk");
    fireEvent.click(inDialog("Cancel"));
    fireEvent.click(inDialog("Discard"));
  });

  test("asks the server nothing while a field is wrong, and shows its complaints at their fields", async () => {
    const errors = [
      { pointer: "/name", code: "idna", detail: "Not a name." },
      { pointer: "/renewal/currency", code: "currency", detail: "No such currency." },
      { pointer: "/tags/1", code: "length", detail: "Too long." },
    ];
    answer([kept], () => problem(422, "Three fields are wrong.", { errors }));
    await open("Add a domain");
    type("Renewal price", "1.234,56");
    fireEvent.click(inDialog("Add"));
    screen.getByText("Enter a number such as 1234.50.");
    expect(field("Domain name").getAttribute("aria-invalid")).toBe("true");
    expect(field("Renewal price").getAttribute("aria-invalid")).toBe("true");
    await expectFocus(() => field("Domain name"));
    expect(api.sent("POST /api/domains")).toHaveLength(0);
    type("Renewal price", "");
    type("Domain name", "x y");
    fireEvent.click(inDialog("Add"));
    for (const { detail } of errors) expect(await screen.findByText(detail)).toBeDefined();
    expect(field("Tags").getAttribute("aria-invalid")).toBe("true");
    expect(field("Currency").getAttribute("aria-invalid")).toBe("true");
    // An error is about the text that was refused: it goes when that changes, and the others stay.
    type("Domain name", "x.example");
    expectAbsent(screen.queryByText("Not a name."));
    screen.getByText("No such currency.");
  });

  test("brings the focus to custom fields that are refused, and announces why", async () => {
    const errors = [{ pointer: "/custom", code: "reserved", detail: "Every domain has Tags." }];
    answer([kept], () => problem(422, "One field is wrong.", { errors }));
    await open("Add a domain");
    type("Domain name", "new.example");
    fireEvent.click(inDialog("Add a field"));
    expect(field("Name").maxLength).toBe(60);
    type("Name", "Tags");
    type("Text", "shop");
    fireEvent.click(inDialog("Add"));
    expect((await screen.findByRole("alert")).textContent).toBe("Every domain has Tags.");
    const group = screen.getByRole("group", { name: "Custom fields" });
    expect(group.getAttribute("aria-invalid")).toBe("true");
    expect(group.getAttribute("aria-describedby")).toBe(screen.getByRole("alert").id);
    await expectFocus(() => group);
  });

  test("leads to the name that is there already", async () => {
    answer([kept], () => problem(409, "It is in the register.", { existing: kept.id }));
    await open("Add a domain");
    type("Domain name", "kept.example");
    fireEvent.click(inDialog("Add"));
    const link = await screen.findByRole("link", { name: "Open kept.example" });
    expect(link.getAttribute("href")).toBe(`/domains/${kept.id}`);
    // It is the name that is wrong: it has the focus, and says why.
    await expectFocus(() => screen.getByLabelText("Domain name"));
    expect(document.activeElement?.getAttribute("aria-invalid")).toBe("true");
    screen.getByText("It is in the register.");
    type("Owner", "Ada");
    screen.getByRole("link", { name: "Open kept.example" });
    type("Domain name", "other.example");
    expectAbsent(screen.queryByRole("link", { name: "Open kept.example" }));
  });

  test.each([
    ["Save mine", "Hover"],
    ["Use the saved version", "Somebody"],
    ["Keep editing", null],
  ])("leaves a choice when a newer version was saved meanwhile: %s", async (choice, shown) => {
    const theirs = { ...kept, version: 5, owner: "Somebody", registrar: "Hover" };
    const mine = { ...theirs, version: 6, owner: "Grace" };
    const change = ({ headers }: ApiCall) =>
      headers.get("If-Match") === '"5"'
        ? Response.json(mine)
        : problem(412, "It has changed.", { current: theirs });
    answer([kept], change, [choice === "Save mine" ? mine : theirs]);
    await saveOwner();
    const row = await within(dialog()).findByRole("row", { name: /Owner/ });
    const first = api.sent(`PATCH /api/domains/${kept.id}`)[0];
    expect([first?.headers.get("If-Match"), first?.body]).toEqual(['"1"', { owner: "Grace" }]);
    // The first takes the focus: a second, impatient Enter must lose nothing.
    expect(within(dialog()).getAllByRole("button")[0]?.textContent).toBe("Keep editing");
    within(row).getByText("Somebody");
    within(row).getByText("Grace");
    fireEvent.click(inDialog(choice));
    if (shown === null) {
      expect([field("Owner").value, field("Registrar").value]).toEqual(["Grace", "Hover"]);
      return;
    }
    await closed();
    expect(keptRow()).toContain(shown);
    expect(sessionStorage.getItem("domain-draft")).toBeNull();
    const last = api.sent(`PATCH /api/domains/${kept.id}`).at(-1);
    expect(last?.headers.get("If-Match")).toBe(choice === "Save mine" ? '"5"' : '"1"');
    expect(last?.body).toEqual({ owner: "Grace" });
  });

  test.each(["Add", "Discard"])(
    "keeps what was typed when somebody else has deleted the name, until a person decides: %s",
    async (choice) => {
      const again = { ...kept, id: "new", owner: "Grace" };
      const change = ({ method }: ApiCall) =>
        method === "POST" ? Response.json(again) : problem(404, "Gone.");
      answer([kept], change, choice === "Add" ? [again] : []);
      await saveOwner();
      await screen.findByText(/Someone deleted kept.example/);
      expect(field("Owner").value).toBe("Grace");
      if (choice === "Discard") fireEvent.click(inDialog("Cancel"));
      fireEvent.click(inDialog(choice));
      await closed();
      if (choice === "Add") expect(keptRow()).toContain("Grace");
      else await screen.findByText(/Someone else deleted kept.example/);
    },
  );

  test("comes back after a reload with what was typed, and asks before it throws that away", async () => {
    answer([kept], () => problem(500, "No."));
    await openFromMenu("Edit");
    type("Owner", "Grace");
    await waitFor(() => expect(sessionStorage.getItem("domain-draft")).toContain("Grace"));
    cleanup();
    renderScreen(<List />);
    await screen.findByRole("dialog", { name: "Edit kept.example" });
    fireEvent(dialog(), new Event("cancel", { cancelable: true }));
    await expectFocus(() => inDialog("Keep editing"));
    fireEvent(dialog(), new Event("cancel", { cancelable: true }));
    expect(field("Owner").value).toBe("Grace");
    fireEvent.click(inDialog("Keep editing"));
    expect(field("Owner").value).toBe("Grace");
    fireEvent.click(inDialog("Cancel"));
    fireEvent.click(inDialog("Discard"));
    await closed();
    expect(sessionStorage.getItem("domain-draft")).toBeNull();
  });
});

describe("DeleteDialog", () => {
  test("deletes the version that was seen, and only when told so twice", async () => {
    const next = domainOf("next.example");
    answer([kept, next], () => Response.json({ operation: "op" }), [next]);
    await openFromMenu("Delete");
    expect(api.sent(`DELETE /api/domains/${kept.id}`)).toHaveLength(0);
    fireEvent.click(inDialog("Delete"));
    await closed();
    expect(api.sent(`DELETE /api/domains/${kept.id}`)[0]?.headers.get("If-Match")).toBe('"1"');
    screen.getByText(/Deleted kept.example/);
    await expectFocus(() => screen.getByRole("link", { name: "next.example" }));
  });

  test("asks again when somebody has changed the name meanwhile, and says why it did not work", async () => {
    const theirs = { ...kept, version: 5, owner: "Somebody" };
    const answers = [problem(503, "Too busy."), problem(412, "Changed.", { current: theirs })];
    const remove = () => answers.shift() ?? Response.json({ operation: "op" });
    answer([kept], remove, []);
    await openFromMenu("Delete");
    fireEvent.click(inDialog("Delete"));
    expect((await screen.findByRole("alert")).textContent).toContain("Too busy.");
    fireEvent.click(inDialog("Delete"));
    await screen.findByText(/Someone changed this domain/);
    fireEvent.click(inDialog("Delete"));
    await closed();
    await screen.findByRole("heading", { name: "No domains yet" });
    const [, , last] = api.sent(`DELETE /api/domains/${kept.id}`);
    expect(last?.headers.get("If-Match")).toBe('"5"');
  });
});
