import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "bun:test";
import { memoryLocation } from "wouter/memory-location";
import { Router } from "wouter";
import Registrars from "../../../src/client/registrars/registrars.tsx";
import { NotificationList } from "../../../src/client/shell/layout.tsx";
import type { Account, AccountName } from "../../../src/shared/accounts.ts";
import type { Role } from "../../../src/shared/session.ts";
import { DEFAULT_SETTINGS } from "../../../src/shared/settings.ts";
import { expectAbsent, press, pressLater, type } from "../../support/elements.ts";
import { fakeApi, problem } from "../../support/fake-api.ts";

const api = fakeApi();

const HOUR_MS = 3_600_000;
const fromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

const account = (known: Partial<Account> = {}): Account => ({
  id: "a1",
  version: 4,
  registrar: "gandi",
  label: "Agency",
  state: "on",
  outcome: "ok",
  detail: "",
  completeAt: fromNow(-4),
  nextAt: fromNow(20),
  counts: { listed: 312, new: 0, vanished: 0, skipped: 0, left: 0, refused: 0 },
  question: null,
  ...known,
});

const counts = (known: Partial<Account["counts"]>) => ({
  counts: { ...account().counts, ...known },
});

const nameOf = (name: string, known: Partial<AccountName> = {}): AccountName => ({
  name,
  unicode: name,
  expires: "2027-03-01",
  autoRenew: true,
  locked: null,
  privacy: null,
  nameservers: null,
  price: null,
  status: "active",
  statusRaw: "ACTIVE",
  since: "2026-11-20",
  reason: null,
  ...known,
});

const APIS = [
  {
    registrar: "gandi",
    label: "Gandi",
    fields: [
      { name: "token", label: "Token", secret: true },
      { name: "sharingId", label: "Organization id", secret: false, optional: true },
    ],
    rights: "Create a token there. Give it only the right to see.",
    recorded: false,
  },
];

const noContent = () => new Response(null, { status: 204 });

/** The one account and its names, and what a write is answered with. */
const state = { account: account(), names: [] as AccountName[], write: noContent };

beforeEach(() => {
  Object.assign(state, { account: account(), names: [], write: noContent });
  api.answer = ({ method, path }) => {
    if (method !== "GET") return state.write();
    if (path === "/api/accounts/a1") return Response.json(state.account);
    if (path === "/api/accounts") return Response.json({ items: [state.account] });
    if (path.endsWith("/names")) return Response.json({ items: state.names, next: null });
    if (path === "/api/registrar-apis") return Response.json({ items: APIS });
    if (path === "/api/registrars") return Response.json({ items: [] });
    if (path === "/api/settings") return Response.json(DEFAULT_SETTINGS);
    if (path === "/api/channels") return Response.json({ items: [] });
    return problem(404, "Nothing here.");
  };
});

async function open(path: string, role: Role = "owner") {
  await api.enter({ state: "signed-in", email: "ada@example.com", role });
  const location = memoryLocation({ path, record: true });
  render(
    <Router hook={location.hook} searchHook={location.searchHook}>
      <Registrars />
      <NotificationList />
    </Router>,
  );
  return location;
}

const ACCOUNT = "/registrars/accounts/a1";

/** Opens the account as the server has it, with these names. */
function show(known: Partial<Account> = {}, names: readonly string[] = [], role?: Role) {
  Object.assign(state, { account: account(known), names: names.map((name) => nameOf(name)) });
  return open(ACCOUNT, role);
}

describe("Connect", () => {
  async function fill() {
    const location = await open("/registrars/connect");
    await screen.findByLabelText("Registrar");
    type("Registrar", "gandi");
    type("Token", " s3cret ");
    return location;
  }

  test("tests what was typed, shows why it was refused or at its field what is missing, and keeps it", async () => {
    await fill();
    screen.getByText(/Give it only the right to see/);
    screen.getByText(/not yet tried with a real account/);
    screen.getByRole("link", { name: "Import its export" });
    expect(screen.getByLabelText<HTMLInputElement>("Token").type).toBe("password");
    expect(screen.getByLabelText("Token").getAttribute("autocomplete")).toBe("new-password");
    state.write = () => problem(422, "Gandi says: “No such token”", { outcome: "credentials" });
    press("Test and save");
    await screen.findByText(/The key is wrong or was revoked\. Gandi says: “No such token”/);
    expect(screen.getByLabelText<HTMLInputElement>("Token").value).toBe(" s3cret ");
    expect(api.sent("POST /api/accounts")[0]?.body).toEqual({
      registrar: "gandi",
      fields: { token: "s3cret" },
    });
    const errors = [{ pointer: "/fields/token", code: "required", detail: "Enter “Token”." }];
    state.write = () => problem(400, "Bad fields.", { errors });
    press("Test and save");
    await screen.findByText("Enter “Token”.");
    expect(screen.getByLabelText("Token").getAttribute("aria-invalid")).toBe("true");
  });

  test("saves without testing, asks for the password where the last proof is old, and goes to the account", async () => {
    const location = await fill();
    let isProven = false;
    state.write = () =>
      isProven
        ? Response.json(account(), { status: 201 })
        : problem(403, "Confirm your password.", { proof: true });
    fireEvent.click(screen.getByLabelText("Save without testing"));
    press("Save without testing");
    const dialog = await screen.findByRole("dialog", { name: "Confirm that it’s you" });
    fireEvent.change(within(dialog).getByLabelText("Password"), { target: { value: "right" } });
    isProven = true;
    fireEvent.click(within(dialog).getByRole("button", { name: "Continue" }));
    await screen.findByRole("heading", { name: "Agency" });
    expect(location.history.at(-1)).toBe(ACCOUNT);
    const sent = api.sent("POST /api/accounts").map(({ body }) => body);
    expect(sent).toMatchObject([{ test: false }, { test: false }]);
  });
});

describe("AccountScreen", () => {
  test.each<[string, Partial<Account>]>([
    ["Complete 4 hours ago, 312 domains. Next reading in 20 hours.", {}],
    // While new credentials are tried, an old refusal is no news.
    [
      "Complete 4 hours ago, 312 domains. Syncing now…",
      { outcome: "credentials", detail: "No.", nextAt: fromNow(0) },
    ],
  ])("says how current the account is: %s", async (text, known) => {
    await show(known);
    await screen.findByText(text);
    expectAbsent(screen.queryByText(/The last reading failed/));
  });

  test("waits for the first reading, and then shows what is new", async () => {
    await show({ outcome: null, completeAt: null, nextAt: fromNow(0) });
    await screen.findByText("Syncing for the first time…");
    state.account = account(counts({ listed: 1, new: 1 }));
    state.names = [nameOf("one.example")];
    await screen.findByRole("button", { name: "Add all 1" }, { timeout: 5_000 });
  });

  test("adds all at once, unless another number is new by now", async () => {
    await show(counts({ listed: 340, new: 340 }), ["one.example", "two.example"]);
    state.write = () => problem(409, "Nothing was changed.", { count: 341 });
    await pressLater("Add all 340");
    state.account = account(counts({ listed: 341, new: 341 }));
    await screen.findByText("Nothing was changed.");
    state.write = () => Response.json({ operation: "op-1" });
    await pressLater("Add all 341");
    await screen.findByText("341 domains added.");
    expect(api.sent("POST /api/accounts/a1/accept").map(({ body }) => body)).toEqual([
      { all: true, expectedCount: 340 },
      { all: true, expectedCount: 341 },
    ]);
    screen.getByRole("button", { name: "Undo" });
  });

  test("adds some, and keeps others out", async () => {
    await show(counts({ listed: 2, new: 2 }), ["one.example", "two.example"]);
    fireEvent.click(await screen.findByLabelText("two.example"));
    state.write = () => Response.json({ operation: "op-2" });
    press("Not ours");
    await screen.findByText("1 domain of Agency won’t be offered again.");
    expect(api.sent("POST /api/accounts/a1/refuse")[0]?.body).toEqual({ names: ["two.example"] });
    fireEvent.click(screen.getByLabelText("one.example"));
    press("Add 1");
    await screen.findByText("1 domain added.");
    expect(api.sent("POST /api/accounts/a1/accept")[0]?.body).toEqual({ names: ["one.example"] });
  });

  test("shows the values that some name has, and why names vanished", async () => {
    state.account = account(counts({ vanished: 1 }));
    state.names = [nameOf("gone.example", { reason: "The registry doesn’t know this name." })];
    await open(ACCOUNT);
    const table = within(await screen.findByRole("table", { name: "Vanished" }));
    table.getByRole("link", { name: "gone.example" });
    table.getByText("The registry doesn’t know this name.");
    table.getByRole("columnheader", { name: "Auto-renew" });
    expectAbsent(table.queryByRole("columnheader", { name: "Privacy" }));
    expectAbsent(screen.queryByRole("button", { name: /^Add/ }));
  });

  test("asks the owner whether it has shrunk", async () => {
    await show({ question: { kind: "shrunken", was: 120, now: 3 } });
    await screen.findByText(
      "Only 3 of 120 domains still listed. Did you remove domains from this account?",
    );
    screen.getByText(/missing organization id/);
    // At noon a reading lists none.
    state.account = account({ question: { kind: "shrunken", was: 120, now: 0 } });
    state.write = () => problem(409, "This account has been read since.");
    press("Wait for the next list");
    press("Yes, they were removed");
    expect(api.sent("POST /api/accounts/a1/answer").map(({ body }) => body)).toEqual([
      { shrunken: "wait", was: 120, now: 3 },
    ]);
    await screen.findByText("This account has been read since.");
    await screen.findByText(/^Only 0 of 120/);
  });

  test("says what to do where the registrar refuses, and takes new credentials", async () => {
    const detail = "Gandi says: “Expired” Create a new token.";
    await show({ state: "refused", outcome: "credentials", detail, nextAt: null });
    await screen.findByText(/The key is wrong or was revoked\. Gandi says: “Expired”/);
    press("New credentials");
    fireEvent.change(await screen.findByLabelText("Token"), { target: { value: "new" } });
    press("Save");
    await waitFor(() => expectAbsent(screen.queryByRole("dialog")));
    const [sent] = api.sent("PATCH /api/accounts/a1");
    expect(sent?.body).toEqual({ fields: { token: "new" } });
    expect(sent?.headers.get("if-match")).toBe('"4"');
  });

  test("says when it can be read again", async () => {
    await show();
    state.write = () => problem(429, "It was read just now. Try again in 7 min.");
    await pressLater("Read now");
    await screen.findByText(/Try again in 7 min/);
  });

  test("is resumed, and removed with a word on what stays", async () => {
    const location = await show({ state: "paused", nextAt: null });
    await pressLater("Resume");
    expect(api.sent("PATCH /api/accounts/a1")[0]?.body).toEqual({ state: "on" });
    press("Remove");
    screen.getByText(/Its domains and their reported dates stay/);
    fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Remove" }));
    await screen.findByText("Agency removed. Its domains stay in the register.");
    expect(location.history.at(-1)).toBe("/registrars");
  });

  test.each<[Role, string[]]>([
    ["viewer", []],
    ["editor", ["Read now", "Add all 2"]],
    ["owner", ["Read now", "Edit", "Pause", "Remove", "Add all 2"]],
  ])("offers a %s no more than they may do", async (role, offered) => {
    await show(counts({ listed: 2, new: 2 }), ["one.example"], role);
    await screen.findByText("one.example");
    const buttons = screen.queryAllByRole("button");
    expect(
      buttons.map((button) => button.getAttribute("aria-label") ?? button.textContent),
    ).toEqual(offered);
  });

  test("renames without touching the credentials, at the second attempt if another tab was faster", async () => {
    await show();
    await pressLater("Edit");
    await screen.findByLabelText("Token");
    type("Label", "Clients");
    state.account = account({ version: 5 });
    state.write = () => problem(412, "This account has changed since you loaded it.");
    press("Save");
    await screen.findByText(/has changed since you loaded it/);
    state.write = noContent;
    await waitFor(() => {
      press("Save");
      const sent = api.sent("PATCH /api/accounts/a1").at(-1);
      expect([sent?.headers.get("if-match"), sent?.body]).toEqual(['"5"', { label: "Clients" }]);
    });
    await waitFor(() => expectAbsent(screen.queryByRole("dialog")));
  });
});

describe("AccountList", () => {
  test("lists the accounts with what they want", async () => {
    state.account = account({ outcome: "broken", ...counts({ new: 12, vanished: 1 }) });
    await open("/registrars", "viewer");
    await screen.findByRole("link", { name: "Agency" });
    screen.getByText("The last reading failed");
    screen.getByText("12 new names");
    screen.getByText("1 vanished name");
    expectAbsent(screen.queryByRole("link", { name: "Connect a registrar" }));
  });
});
