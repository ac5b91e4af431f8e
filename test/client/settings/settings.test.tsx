import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, spyOn, test } from "bun:test";
import { version } from "../../../package.json" with { type: "json" };
import { refreshSession } from "../../../src/client/session/session-store.ts";
import Settings from "../../../src/client/settings/settings.tsx";
import { hasUnsavedChanges } from "../../../src/client/ui/unsaved-changes.ts";
import type { AccountRole } from "../../../src/shared/session.ts";
import {
  expectAbsent,
  expectFocus,
  hrefOf,
  press,
  pressLater,
  textsOf,
} from "../../support/elements.ts";
import { type ApiCall, FACETS, fakeApi, problem } from "../../support/fake-api.ts";
import { renderScreen } from "../../support/render-screen.tsx";

const api = fakeApi();

const at = "2026-11-20T10:00:00.000Z";
const VIEW = "01890000-0000-7000-8000-000000000001";
const expiresAt = "2099-11-27T10:00:00.000Z";
const person = (id: string, email: string, role: AccountRole, disabled = false) => ({
  id,
  email,
  name: email === "grace@example.com" ? "Grace" : email,
  role,
  disabled,
  createdAt: at,
});
const FACTORS = {
  totp: false,
  recoveryCodesLeft: 0,
  linked: false,
  password: true,
  passkeys: true,
  offered: ["password"],
};
const LISTS: Readonly<Record<string, object>> = {
  "GET /api/people": {
    items: [person("1", "ada@example.com", "owner"), person("2", "grace@example.com", "editor")],
  },
  "GET /api/invitations": { items: [] },
  "GET /api/views": { items: [{ id: VIEW, name: "Umbra", query: "" }] },
  "GET /api/channels": { items: [] },
  "GET /api/tokens": { items: [] },
  "GET /api/passkeys": { items: [] },
  "GET /api/sessions": { items: [] },
  "GET /api/factors": FACTORS,
};

type Answer = (call: ApiCall & { what: string }) => Response | undefined;

/** Opens a screen of the settings; `answer`, or JSON for a call, comes before what the lists say. */
async function open(
  path: string,
  answer: Answer | Record<string, object> = {},
  role: AccountRole = "owner",
) {
  await api.enter({ state: "signed-in", email: "ada@example.com", role });
  history.replaceState(null, "", path);
  api.answer = (call) => {
    const what = `${call.method} ${call.path}`;
    const answered = typeof answer === "function" && answer({ ...call, what });
    if (answered) return answered;
    const json = typeof answer === "object" ? (answer[what] ?? LISTS[what]) : LISTS[what];
    return json ? Response.json(json) : new Response(null, { status: 204 });
  };
  renderScreen(<Settings />);
}

/** Types into the dialog that is open, else into the screen. */
const type = (label: string, value: string) => {
  const [dialog = document.body] = screen.queryAllByRole("dialog");
  fireEvent.change(within(dialog).getByLabelText(label), { target: { value } });
};
const unproven = () => problem(403, "Confirm your password.", { proof: true });

/** Chooses something in the menu of a person. */
async function choose(name: string, action: string) {
  await pressLater(`Actions for ${name}`);
  await pressLater(action);
}

describe("the screens of the settings", () => {
  test("are linked from each other, those of owners for owners alone, and offer a viewer no access that would be refused", async () => {
    await open("/settings/tokens", undefined, "viewer");
    const { getAllByRole } = within(screen.getByRole("navigation", { name: "Settings" }));
    expect(textsOf(getAllByRole("link"))).toEqual(["General", "Security", "API tokens"]);
    const shown = screen.getByRole("link", { name: "API tokens" });
    expect(shown.getAttribute("aria-current")).toBe("page");
    await pressLater("Create a token");
    const choices = within(screen.getByLabelText("Access")).getAllByRole("option");
    expect(textsOf(choices)).toEqual(["Read only"]);
  });

  test("say to everyone the version, what is new in it, and what is sent to whom", async () => {
    await open("/settings", undefined, "viewer");
    await screen.findByText(`Freehold ${version}, under the MIT license.`);
    const [sent, news] = screen.getAllByRole("group");
    expect(sent?.textContent).toContain("Registries, name servers");
    // The changelog of a version has some lines.
    expect(within(news ?? document.body).getAllByRole("listitem").length).toBeGreaterThan(3);
  });
});

describe("RegisterSettings", () => {
  const settings = { leadDays: 60, currency: "EUR", rates: { USD: 0.9, GBP: 1.17 } };
  const rate = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;

  beforeEach(async () => {
    await open("/settings", ({ path }) => {
      if (path === "/api/facets") return Response.json(FACETS);
      return path === "/api/settings" ? Response.json(settings) : undefined;
    });
    await screen.findByLabelText("Lead time (days)");
  });

  test.each([
    ["Lead time (days)", "30", { leadDays: 30 }],
    ["1 USD in EUR", "0.95", { rates: { USD: 0.95 } }],
    ["1 GBP in EUR", "", { rates: { GBP: null } }],
    ["Main currency", "CHF", { currency: "CHF" }],
  ])("sends %s alone, and leaves what somebody else has changed", async (label, value, body) => {
    type(label, value);
    await pressLater("Save");
    await screen.findByText("Settings saved.");
    expect(api.sent("PATCH /api/settings")[0]?.body).toEqual(body);
  });

  test("asks for the rates of another main currency, and shows the first ones with theirs", async () => {
    type("Main currency", "CHF");
    expect([rate("1 USD in CHF"), rate("1 GBP in CHF")]).toEqual(["", ""]);
    type("Main currency", "EUR");
    expect([rate("1 USD in EUR"), rate("1 GBP in EUR")]).toEqual(["0.9", "1.17"]);
    type("Main currency", "CHF");
    type("1 USD in CHF", "0.9");
    await pressLater("Save");
    await screen.findByText("Settings saved.");
    const body = { currency: "CHF", rates: { USD: 0.9 } };
    expect(api.sent("PATCH /api/settings")[0]?.body).toEqual(body);
  });
});

describe("People", () => {
  test("makes an invitation, and shows its link once with what became of it", async () => {
    const made = { id: "i", email: null, role: "viewer", by: "Ada", createdAt: at, expiresAt };
    const url = "https://names.example/home#invitation=abc";
    await open("/settings/people", { "POST /api/invitations": { ...made, url, mailed: false } });
    await pressLater("Invite someone");
    type("Role", "owner");
    press("Cancel");
    press("Discard");
    await pressLater("Invite someone");
    expect(screen.getByLabelText<HTMLSelectElement>("Role").value).toBe("editor");
    type("Role", "viewer");
    await pressLater("Create invitation link");
    const link = await screen.findByLabelText<HTMLInputElement>("Invitation link");
    expect(link.value).toBe(url);
    screen.getByText(/not e-mailed: send it yourself/);
    expect(api.sent("POST /api/invitations")[0]?.body).toEqual({ role: "viewer" });
  });

  test("limits a viewer to owners or a view, and says that another role lifts the limit", async () => {
    const ada = person("1", "ada@example.com", "owner");
    let limit: object | undefined;
    await open("/settings/people", ({ what, body }) => {
      if (what === "PATCH /api/people/2") ({ limit } = body as { limit?: object });
      const owners = [{ value: "ACME", names: 3 }];
      if (what === "GET /api/facets") return Response.json({ ...FACETS, owners });
      if (what !== "GET /api/people") return undefined;
      const grace = { ...person("2", "grace@example.com", "viewer"), ...(limit && { limit }) };
      return Response.json({ items: [ada, grace] });
    });
    const change = async (sees: string, owners?: string) => {
      await choose("Grace", "Change role");
      type("Sees", sees);
      if (owners !== undefined) type("Owners, one per line", owners);
      await pressLater("Save");
      await waitFor(() => expectAbsent(screen.queryByRole("dialog")));
    };
    await change("owners", "Acme\n\nUmbra, Inc.");
    expect(limit).toEqual({ owners: ["Acme", "Umbra, Inc."] });
    const shown = /Viewer of Acme, Umbra, Inc. \(no domains\) · since/;
    await screen.findByText(shown);
    await change(VIEW);
    expect(limit).toEqual({ view: VIEW });
    await screen.findByText(/Viewer of the view “Umbra” · since/);
    await choose("Grace", "Change role");
    type("Role", "editor");
    expectAbsent(screen.queryByLabelText("Sees"));
    await pressLater("Lift the limit and save");
    await waitFor(() => expectAbsent(screen.queryByRole("dialog")));
    expect(api.sent("PATCH /api/people/2").at(-1)?.body).toEqual({ role: "editor", limit: null });
  });

  test("says in words why the last owner stays one", async () => {
    const detail = "This is the last owner. Make somebody else an owner first.";
    await open("/settings/people", ({ method }) =>
      method === "GET" ? undefined : problem(409, detail),
    );
    await choose("ada@example.com", "Disable");
    expect((await screen.findByRole("alert")).textContent).toContain(detail);
    await choose("ada@example.com", "Change role");
    type("Role", "viewer");
    await pressLater("Save");
    const dialog = within(screen.getByRole("dialog"));
    expect((await dialog.findByRole("alert")).textContent).toContain(detail);
  });

  test("signs a person out everywhere, and makes a link for a new password", async () => {
    const made = { url: "https://names.example/home#reset=abc", expiresAt, mailed: true };
    await open("/settings/people", { "POST /api/people/2/reset": made });
    await choose("Grace", "Sign out everywhere");
    await screen.findByText("Grace is signed out everywhere.");
    expect(api.sent("DELETE /api/people/2/sessions")).toHaveLength(1);
    await choose("Grace", "Create password link");
    await screen.findByText(/also sent to grace@example.com/);
  });

  test("signs the owner out at once where they end their own sessions", async () => {
    let isOver = false;
    await open("/settings/people", ({ what }) => {
      if (isOver) return problem(401, "Sign in.");
      isOver = what === "DELETE /api/people/1/sessions";
      return undefined;
    });
    await choose("ada@example.com", "Sign out everywhere");
    await screen.findByText("You were signed out. Your work is saved.");
  });
});

describe("the proof of the password", () => {
  test("is asked for in place; then the action is repeated, once", async () => {
    let proven = false;
    await open("/settings/people", ({ what, body }) => {
      if (what === "PATCH /api/people/2") return proven ? undefined : unproven();
      if (what !== "POST /api/token/prove") return undefined;
      proven = JSON.stringify(body).includes("right");
      const detail = "This is not your current password.";
      const errors = [{ pointer: "/password", code: "password", detail }];
      return proven ? undefined : problem(403, detail, { errors });
    });
    await choose("Grace", "Change role");
    type("Role", "owner");
    await pressLater("Save");
    await screen.findByLabelText("Password");
    type("Password", "wrong");
    await pressLater("Continue");
    await screen.findByText("This is not your current password.");
    await expectFocus(() => screen.getByLabelText("Password"));
    type("Password", "right");
    await pressLater("Continue");
    await waitFor(() => expectAbsent(screen.queryByRole("dialog")));
    expect(api.sent("PATCH /api/people/2")).toMatchObject([
      { body: { role: "owner" } },
      { body: { role: "owner" } },
    ]);
  });

  /** Sends the form of a token, for which the server asks for a proof. */
  async function createToken() {
    await open("/settings/tokens", ({ method }) => (method === "POST" ? unproven() : undefined));
    await pressLater("Create a token");
    type("Name", "Nightly");
    await pressLater("Create token");
  }

  test("may be refused: what was typed stays, and nothing is said to have failed", async () => {
    await createToken();
    const dialog = await screen.findByRole("dialog", { name: "Confirm that it’s you" });
    fireEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
    await waitFor(() => expectAbsent(screen.queryByLabelText("Password")));
    expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("Nightly");
    expectAbsent(screen.queryByRole("alert"));
    expect(api.sent("POST /api/tokens")).toHaveLength(1);
  });

  test("is a new sign-in for a person without a password, and what was typed stays", async () => {
    await createToken();
    await pressLater("Sign in again");
    await waitFor(() => expect(api.sent("DELETE /api/token")).toHaveLength(1));
    await screen.findByText("You were signed out. Your work is saved.");
    await act(refreshSession);
    expect((await screen.findByLabelText<HTMLInputElement>("Name")).value).toBe("Nightly");
  });
});

describe("Tokens", () => {
  const times = { createdAt: at, expiresAt, lastUsedAt: null };
  const token = { id: "t", name: "Nightly", scope: "read", ...times };

  test("shows a new token once, with a line that uses it", async () => {
    await open("/settings/tokens", { "POST /api/tokens": { ...token, token: "fh_abc" } });
    await pressLater("Create a token");
    type("Name", "Nightly");
    type("Access", "write");
    type("Expires after", "30");
    await pressLater("Create token");
    expect((await screen.findByLabelText<HTMLInputElement>("Token")).value).toBe("fh_abc");
    screen.getByText(/Authorization: Bearer fh_abc/);
    const body = { name: "Nightly", scope: "write" };
    expect(api.sent("POST /api/tokens")).toMatchObject([{ body }]);
  });

  test("asks before it revokes", async () => {
    await open("/settings/tokens", { "GET /api/tokens": { items: [token] } });
    await pressLater("Revoke Nightly");
    expect(api.sent("DELETE /api/tokens/t")).toHaveLength(0);
    await pressLater("Revoke");
    await waitFor(() => expect(api.sent("DELETE /api/tokens/t")).toHaveLength(1));
  });
});

describe("Audit", () => {
  test("says who did what, from where, and shows older entries on request", async () => {
    const entry = (id: string, more: object) => ({ id, at, address: "192.0.2.7", ...more });
    const by = { id: "1", name: "Ada" };
    await open("/settings/audit", ({ what, query }) => {
      if (what !== "GET /api/audit") return undefined;
      const old = { action: "sign-in-failed", by: null, subject: "x@example.com", address: null };
      if (query.get("after")) return Response.json({ items: [entry("2", old)], next: null });
      const token = { id: "t", name: "Nightly" };
      return Response.json({ items: [entry("3", { action: "exported", by, token })], next: "3" });
    });
    const cell = (await screen.findByText("Ada")).closest("td");
    expect(cell?.textContent).toBe("Ada (token Nightly) exported domains");
    await pressLater("Show older entries");
    const row = (await screen.findByText("Someone")).closest("tr");
    expect(row?.textContent).toContain("Someone failed to sign in: x@example.com");
    expect(row?.textContent).toContain("this server");
  });
});

/** Fills in the form that folds out under a title, and sends it. */
async function sendForm(title: string, values: Record<string, string>) {
  fireEvent.click(await screen.findByText(title, { selector: "summary" }));
  const form = within(screen.getByRole("form", { name: title }));
  for (const [label, value] of Object.entries(values)) {
    fireEvent.change(form.getByLabelText(label), { target: { value } });
  }
  press(title, form);
  return form;
}

describe("Security", () => {
  test("changes the password, and says at its field what is wrong with it", async () => {
    const detail = "This password is too easy to guess.";
    const errors = [{ pointer: "/next", code: "guessable", detail }];
    let refused = 0;
    await open("/settings/security", ({ what }) =>
      what === "PUT /api/password" && refused++ === 0 ? problem(400, "Bad", { errors }) : undefined,
    );
    const values = { "Current password": "correct horse", "New password": "password1234" };
    const form = await sendForm("Change password", values);
    await screen.findByText(detail);
    const box = form.getByLabelText<HTMLInputElement>("New password");
    await expectFocus(() => box);
    press("Change password", form);
    await waitFor(() => expect(box.value).toBe(""));
    const body = { current: "correct horse", next: "password1234" };
    expect(api.sent("PUT /api/password").at(-1)?.body).toEqual(body);
  });

  test("leads to the sign-in service without the question whether to leave", async () => {
    await open("/settings/security", ({ what }) => {
      if (what === "GET /api/factors") return Response.json({ ...FACTORS, offered: ["oidc"] });
      if (what !== "POST /api/oidc/link") return undefined;
      return Response.json({ url: "https://id.example" });
    });
    const left = Promise.withResolvers<boolean>();
    using assign = spyOn(location, "assign").mockImplementation(() =>
      left.resolve(hasUnsavedChanges()),
    );
    await pressLater("Link account");
    expect(await left.promise).toBe(false);
    expect(assign).toHaveBeenCalledWith("https://id.example");
  });

  test("signs out another device, never this one", async () => {
    const device = { address: "192.0.2.7", lastSeenAt: at, current: false };
    let items = [
      { ...device, id: "1", device: "Firefox on Linux", current: true },
      { ...device, id: "2", device: "Safari on iOS" },
    ];
    await open("/settings/security", ({ what }) => {
      if (what === "DELETE /api/sessions/2") items = items.slice(0, 1);
      return what === "GET /api/sessions" ? Response.json({ items }) : undefined;
    });
    await screen.findByText("This device");
    expect(screen.getAllByRole("button", { name: /^Sign out ./ })).toHaveLength(1);
    await pressLater("Sign out Safari on iOS");
    await waitFor(() => expectAbsent(screen.queryByText("Safari on iOS")));
  });

  test("sets up an authenticator app, and shows the recovery codes once", async () => {
    const uri = "otpauth://totp/Freehold:ada?secret=JBSWY3DPEHPK3PXP&issuer=Freehold";
    await open("/settings/security", ({ what, body }) => {
      if (what === "POST /api/factors/totp") return Response.json({ uri });
      if (what !== "POST /api/factors/totp/confirm") return undefined;
      const isRight = JSON.stringify(body) === '{"code":"123456"}';
      const errors = [{ pointer: "/code", code: "code", detail: "Not the code that it shows." }];
      return isRight
        ? Response.json({ recoveryCodes: ["aaaa", "bbbb"] })
        : problem(400, "Bad", { errors });
    });
    await pressLater("Set up authenticator app");
    await screen.findByText("JBSW Y3DP EHPK 3PXP");
    await screen.findByRole("img", { name: /^QR code/ });
    expect(hrefOf("open the app on this device")).toBe(uri);
    type("Code that the app shows", "000000");
    await pressLater("Turn on");
    await screen.findByText("Not the code that it shows.");
    type("Code that the app shows", "123456");
    await pressLater("Turn on");
    const codes = await screen.findByLabelText<HTMLTextAreaElement>("Recovery codes");
    expect(codes.value).toBe("aaaa\nbbbb");
    screen.getByRole("button", { name: "Download" });
  });

  test("offers nothing that the server or the account lacks", async () => {
    const factors = { ...FACTORS, password: false, passkeys: false };
    await open("/settings/security", { "GET /api/factors": factors });
    await screen.findByText(/Passkeys need PUBLIC_URL/);
    expectAbsent(screen.queryByRole("button", { name: "Add a passkey" }));
    expectAbsent(screen.queryByText("Change password"));
  });

  test("says that this browser has no passkeys", async () => {
    await open("/settings/security");
    await pressLater("Add a passkey");
    type("Name", "Laptop");
    await pressLater("Add");
    expect((await screen.findByRole("alert")).textContent).toContain("Passkeys need");
    expect(api.sent("POST /api/passkeys")).toHaveLength(0);
  });
});
