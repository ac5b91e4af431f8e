import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, spyOn, test } from "bun:test";
import { Security } from "../../../src/client/settings/security.tsx";
import { hasUnsavedChanges } from "../../../src/client/ui/unsaved-changes.ts";
import { expectAbsent, expectFocus } from "../../support/elements.ts";
import { fakeApi, problem } from "../../support/fake-api.ts";

const api = fakeApi();
const ada = { state: "signed-in", email: "ada@example.com" } as const;

const session = (id: string, device: string, current = false) => ({
  id,
  device,
  address: "192.0.2.7",
  lastSeenAt: "2026-11-01T10:00:00.000Z",
  current,
});

const FACTORS = {
  totp: false,
  recoveryCodesLeft: 0,
  linked: false,
  password: true,
  passkeys: true,
  offered: ["password"],
};

async function show(answer: (what: string) => Response | undefined) {
  await api.enter(ada);
  let items = [session("1", "Firefox on Linux", true), session("2", "Safari on iOS")];
  api.answer = ({ method, path }) => {
    if (path === "/api/passkeys") return Response.json({ items: [] });
    const given = answer(`${method} ${path}`);
    if (given) return given;
    if (path === "/api/factors") return Response.json(FACTORS);
    if (method === "DELETE") items = items.filter(({ id }) => !path.endsWith(id));
    return method === "GET" ? Response.json({ items }) : new Response(null, { status: 204 });
  };
  render(<Security />);
  return screen.findByText("This device");
}

/** Fills in the form that folds out under a title, and sends it. */
function send(title: string, values: Record<string, string>) {
  fireEvent.click(screen.getByText(title, { selector: "summary" }));
  const form = within(screen.getByRole("form", { name: title }));
  for (const [label, value] of Object.entries(values)) {
    fireEvent.change(form.getByLabelText(label), { target: { value } });
  }
  fireEvent.click(form.getByRole("button", { name: title }));
  return form;
}

describe("Security", () => {
  test("changes the e-mail address, which is shown at once", async () => {
    const grace = { state: "signed-in", email: "grace@example.com" };
    await show((what) => (what === "PUT /api/email" ? Response.json(grace) : undefined));
    const values = { "New e-mail address": grace.email, "Current password": "correct horse" };
    send("Change e-mail address", values);
    expect(await screen.findByText(grace.email)).toBeDefined();
    expect(api.sent("PUT /api/email")[0]?.body).toEqual({
      email: grace.email,
      password: "correct horse",
    });
    expect(sessionStorage.getItem("person")).toBe(grace.email);
  });

  test("changes the password, and says at its field what is wrong with it", async () => {
    const detail = "This password is too easy to guess.";
    const errors = [{ pointer: "/next", code: "guessable", detail }];
    let refused = 0;
    await show((what) =>
      what === "PUT /api/password" && refused++ === 0 ? problem(400, "Bad", { errors }) : undefined,
    );
    const form = send("Change password", {
      "Current password": "correct horse",
      "New password": "password1234",
    });
    expect(await screen.findByText(detail)).toBeDefined();
    await expectFocus(() => form.getByLabelText("New password"));
    fireEvent.click(form.getByRole("button", { name: "Change password" }));
    await waitFor(() =>
      expect(form.getByLabelText<HTMLInputElement>("New password").value).toBe(""),
    );
    expect(api.sent("PUT /api/password").at(-1)?.body).toEqual({
      current: "correct horse",
      next: "password1234",
    });
  });

  test("leads to the sign-in service without the question whether to leave", async () => {
    await show((what) => {
      if (what === "GET /api/factors") return Response.json({ ...FACTORS, offered: ["oidc"] });
      return what === "POST /api/oidc/link"
        ? Response.json({ url: "https://id.example" })
        : undefined;
    });
    const left = Promise.withResolvers<boolean>();
    using assign = spyOn(location, "assign").mockImplementation(() =>
      left.resolve(hasUnsavedChanges()),
    );
    fireEvent.click(await screen.findByRole("button", { name: "Link account" }));
    expect(await left.promise).toBe(false);
    expect(assign).toHaveBeenCalledWith("https://id.example");
  });

  test("signs out another device, never this one", async () => {
    await show(() => undefined);
    expect(screen.getAllByRole("button", { name: /^Sign out ./ })).toHaveLength(1);
    fireEvent.click(screen.getByRole("button", { name: "Sign out Safari on iOS" }));
    await waitFor(() => expectAbsent(screen.queryByText("Safari on iOS")));
    expect(api.sent("DELETE /api/sessions/2")).toHaveLength(1);
  });
});
