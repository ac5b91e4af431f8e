import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { forgetLinkCode } from "../../../src/client/session/link-code.ts";
import { SessionForm } from "../../../src/client/session/session-form.tsx";
import {
  getSession,
  refreshSession,
  useSession,
} from "../../../src/client/session/session-store.ts";
import { NotificationList } from "../../../src/client/shell/layout.tsx";
import { expectAbsent, expectFocus, hrefOf, press, type } from "../../support/elements.ts";
import { fakeApi, problem } from "../../support/fake-api.ts";

const api = fakeApi();

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
/** Types who signs in, and sends it by the button of this name. */
function send(button: string, password = "correct horse battery", email = "ada@example.com") {
  type("E-mail address", email);
  type("Password", password);
  press(button);
}

describe("SessionForm", () => {
  test("helps password managers, and shows the password on request only", async () => {
    const { unmount } = render(<SessionForm session={{ state: "signed-out" }} />);
    expect(field("E-mail address").autocomplete).toBe("username");
    expect(field("Password").autocomplete).toBe("current-password");
    expect(field("Password").type).toBe("password");
    fireEvent.click(field("Show password"));
    expect(field("Password").type).toBe("text");
    unmount();
    render(<SessionForm session={{ state: "set-up" }} />);
    const next = await screen.findByLabelText<HTMLInputElement>("Password");
    expect(next.autocomplete).toBe("new-password");
  });

  test("focuses the first field that is empty, and keeps an address over a reload", async () => {
    const { unmount } = render(<SessionForm session={{ state: "signed-out" }} />);
    await expectFocus(() => field("E-mail address"));
    type("E-mail address", "ada@example.com");
    type("Password", "a secret");
    unmount();
    expect(JSON.stringify({ ...sessionStorage })).not.toContain("a secret");
    render(<SessionForm session={{ state: "signed-out" }} />);
    expect(field("E-mail address").value).toBe("ada@example.com");
    await expectFocus(() => field("Password"));
  });

  test("sends the code of the link without asking for it, unless it is wrong", async () => {
    history.replaceState(null, "", "/home#set-up=ABCD-1234");
    render(<SessionForm session={{ state: "set-up" }} />);
    expect([location.pathname, location.hash]).toEqual(["/home", ""]);
    expectAbsent(screen.queryByLabelText("Set-up code"));
    api.answer = () => problem(403, "That set-up code isn’t right.");
    send("Create account");
    expect((await screen.findByRole("alert")).textContent).toContain("isn’t right");
    expect(api.sent("POST /api/token")[0]?.body).toMatchObject({ setUpCode: "ABCD-1234" });
    expect(field("Set-up code").value).toBe("ABCD-1234");
    expect(field("Set-up code").autocomplete).toBe("off");
    type("Set-up code", " EFGH-5678 ");
    press("Create account");
    await waitFor(() => expect(api.sent("POST /api/token")).toHaveLength(2));
    expect(api.sent("POST /api/token")[1]?.body).toMatchObject({ setUpCode: "EFGH-5678" });
    act(forgetLinkCode);
  });

  test("shows what is wrong with a field at that field, and goes there", async () => {
    render(<SessionForm session={{ state: "set-up" }} />);
    const errors = [{ pointer: "/password", code: "short", detail: "At least 12, got 3." }];
    api.answer = () => problem(422, "One field is wrong.", { errors });
    type("Set-up code", "x");
    type("E-mail address", "ada@example.com");
    type("Password", "abc");
    fireEvent.submit(field("Password"));
    await waitFor(() => expect(field("Password").getAttribute("aria-invalid")).toBe("true"));
    screen.getByText("At least 12, got 3.");
    await expectFocus(() => field("Password"));
    expectAbsent(screen.queryByRole("alert"));
  });

  test("sends once, however often it is pressed, says why it was refused, and loses nothing", async () => {
    render(<SessionForm session={{ state: "signed-out" }} />);
    const { promise, resolve } = Promise.withResolvers<Response>();
    api.answer = () => promise;
    api.calls.length = 0;
    send("Sign in", "guess");
    press("Sign in");
    resolve(problem(401, "Wrong."));
    expect((await screen.findByRole("alert")).textContent).toContain("Wrong.");
    expect(api.sent("POST /api/token")).toHaveLength(1);
    expect(field("E-mail address").value).toBe("ada@example.com");
    expect(field("Password").value).toBe("guess");
    await expectFocus(() => field("Password"));
  });

  test("asks for a code after the password, and begins anew on request", async () => {
    await api.enter({ state: "signed-out" });
    render(<Shown />);
    const next = { state: "signed-out", factors: ["totp", "recovery"] };
    api.answer = ({ body }) =>
      JSON.stringify(body).includes("code")
        ? problem(401, "This code is wrong.")
        : Response.json(next);
    send("Sign in");
    await screen.findByRole("heading", { name: "Enter your code" });
    await expectFocus(() => field("Code"));
    expect(field("Code").autocomplete).toBe("one-time-code");
    type("Code", "123456");
    press("Sign in");
    expect((await screen.findByRole("alert")).textContent).toContain("This code is wrong.");
    expect(api.sent("POST /api/token").at(-1)?.body).toEqual({ code: "123456" });
    press("Start again");
    await screen.findByLabelText("Password");
  });

  test("keeps whose screen is covered while a code comes next", async () => {
    await api.enter({ state: "signed-in", email: "ada@example.com" });
    api.session = { state: "signed-out", factors: ["totp", "recovery"] };
    await act(() => refreshSession());
    expect(getSession()).toMatchObject({ state: "expired", email: "ada@example.com" });
    render(<Shown />);
    screen.getByRole("heading", { name: "Enter your code" });
  });

  test("offers what the server takes, and nothing else", async () => {
    render(<SessionForm session={{ state: "signed-out", signIn: ["passkey", "oidc"] }} />);
    expectAbsent(screen.queryByLabelText("Password"));
    expect(hrefOf("Sign in with single sign-on")).toBe("/api/oidc/start");
    press("Sign in with a passkey");
    expect((await screen.findByRole("alert")).textContent).toContain("Passkeys need");
  });

  test("says why a single sign-on failed that led back here", async () => {
    history.replaceState(null, "", "/home#sign-in=taken");
    render(<SessionForm session={{ state: "signed-out" }} />);
    render(<NotificationList />);
    await screen.findByText(/linked to another person/);
    expect(location.hash).toBe("");
  });

  test("creates the account of an invitation, or says why its link is no good", async () => {
    history.replaceState(null, "", "/home#invitation=abc");
    render(<SessionForm session={{ state: "signed-out" }} />);
    screen.getByRole("heading", { name: "Welcome to Freehold" });
    api.answer = () => problem(403, "This link was used. Ask for a new one.");
    type("Your name", "Grace");
    send("Create account", "correct horse battery", "grace@example.com");
    expect((await screen.findByRole("alert")).textContent).toContain("Ask for a new one");
    const account = { email: "grace@example.com", password: "correct horse battery" };
    const body = { code: "abc", name: "Grace", ...account };
    expect(api.sent("POST /api/invitations/accept")[0]?.body).toEqual(body);
    press("Sign in instead");
    await screen.findByRole("heading", { name: "Sign in" });
  });
});

/** The form of the session as it is. */
function Shown() {
  return <SessionForm session={useSession()} />;
}
