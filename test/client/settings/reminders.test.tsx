import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import type {
  Calendar,
  Channel,
  Delivery,
  MailServerState,
  ReminderSettings,
} from "../../../src/shared/reminders.ts";
import Reminders from "../../../src/client/settings/reminders/reminders.tsx";
import type { Role } from "../../../src/shared/session.ts";
import Settings from "../../../src/client/settings/settings.tsx";
import { expectAbsent, press, type } from "../../support/elements.ts";
import { type ApiCall, fakeApi, problem } from "../../support/fake-api.ts";
import { renderScreen } from "../../support/render-screen.tsx";

const api = fakeApi();

const settings: ReminderSettings = {
  timeZone: "UTC",
  hour: 8,
  quietDays: [],
  thresholds: [60, 30, 14, 7],
  escalation: null,
  lastEvaluatedAt: null,
  nextAt: null,
  late: null,
};

const hook = {
  id: "c1",
  kind: "webhook",
  name: "Ops",
  target: "https://ops.example/hook",
  filter: "",
  rhythm: "daily",
  state: "working",
  lastSentAt: null,
  lastError: null,
  hasSecret: true,
} as const satisfies Partial<Channel>;

const dead = {
  id: "d1",
  channelId: "c1",
  type: "reminder.due",
  subject: "2 domains expire today",
  domains: 2,
  state: "dead",
  attempts: 9,
  createdAt: "2026-11-20T08:00:00.000Z",
  sentAt: null,
  nextAt: null,
  lastError: "HTTP 410: gone",
} as const satisfies Delivery;

const noMail: MailServerState = {
  setBy: null,
  server: null,
  problem: "E-mail isn’t set up on this server.",
};

interface Register {
  mail?: MailServerState;
  reminders?: Partial<ReminderSettings>;
  channels?: object[];
  calendars?: Calendar[];
  deliveries?: Delivery[];
  factors?: object;
}

/** Shows the screen over a register that `change` may answer for, or change. */
async function show(
  register: Register,
  change: (call: ApiCall) => Response | undefined = () => undefined,
  role: Role = "owner",
) {
  await api.enter({ state: "signed-in", email: "ada@example.com", role });
  history.replaceState(null, "", "/settings/reminders");
  api.answer = (call) => {
    const answered = call.method === "GET" ? undefined : change(call);
    if (answered) return answered;
    const { mail = noMail, reminders, factors } = register;
    const { channels = [], calendars = [], deliveries = [] } = register;
    const answers: Record<string, unknown> = {
      "/api/reminders": { ...settings, ...reminders },
      "/api/mail-server": mail,
      "/api/factors": factors,
      "/api/channels": { items: channels },
      "/api/deliveries": { items: deliveries, next: null },
      "/api/calendars": { items: calendars },
      "/api/views": { items: [] },
    };
    const json = answers[call.path];
    return json === undefined ? problem(404, "Nothing here.") : Response.json(json);
  };
  renderScreen(<Reminders />);
  await screen.findByRole("button", { name: "Calendar" });
}

describe("Reminders", () => {
  test("a first channel turns them on in the browser's time zone, and shows its secret once", async () => {
    const register: Register = {};
    await show(register, ({ method, path }) => {
      if (method === "PUT" && path === "/api/reminders") {
        register.reminders = { nextAt: "2026-11-23T07:00:00.000Z" };
      }
      if (method !== "POST" || path !== "/api/channels") return undefined;
      register.channels = [hook];
      return Response.json({ ...hook, secret: "whsec_c2VjcmV0" }, { status: 201 });
    });
    screen.getByRole("heading", { name: "No one gets reminders yet" });
    press("More");
    press("Webhook");
    type("URL", hook.target);
    type("Domains", "https://freehold.example/domains?open=a.example&tag=client#content");
    press("Add");
    await screen.findByDisplayValue("whsec_c2VjcmV0");
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    await waitFor(() =>
      expect(api.sent("PUT /api/reminders").map(({ body }) => body)).toEqual([{ timeZone }]),
    );
    const { kind, target, rhythm } = hook;
    const added = { kind, name: "Webhook", target, filter: "tag=client", rhythm };
    expect(api.sent("POST /api/channels")[0]?.body).toMatchObject(added);
    press("Done");
    await screen.findByRole("heading", { name: "Ops" });
    expectAbsent(screen.queryByDisplayValue("whsec_c2VjcmV0"));
  });

  test("e-mail is set up where its first address is added, with the other side's words", async () => {
    const register: Register = {};
    const server = {
      host: "smtp.example.com",
      port: 465,
      tls: "implicit",
      user: "ada",
      sender: "names@example.com",
    } as const;
    const detail = "Not sent: 550 unknown sender";
    let refuse = true;
    await show(register, ({ path }) => {
      if (path !== "/api/mail-server") return undefined;
      if (refuse) return problem(422, detail);
      register.mail = { setBy: "settings", server, problem: null };
      return Response.json({ ok: true, said: "250 queued" });
    });
    screen.getByText("E-mail isn’t set up on this server.");
    press("E-mail");
    screen.getByRole("dialog", { name: "Set up e-mail" });
    type("Server", server.host);
    type("Port", "465");
    type("Encryption", server.tls);
    type("User name", server.user);
    type("Password", "s3cret");
    type("Sender", server.sender);
    press("Send a test and save");
    await screen.findByText(detail);
    refuse = false;
    press("Send a test and save");
    // The address is what was to be added.
    await screen.findByRole("dialog", { name: "Add an e-mail address" });
    const said = "Test message sent to ada@example.com. Mail server saved.";
    screen.getByText(said);
    const body = { ...server, password: "s3cret", testTo: "ada@example.com" };
    expect(api.sent("PUT /api/mail-server").at(-1)?.body).toEqual(body);
    press("Cancel");
    // Nobody is told anything yet.
    expect(api.sent("PUT /api/reminders")).toEqual([]);
    screen.getByText(/^E-mail is sent by smtp.example.com:465/);
    press("Delete the mail server");
    screen.getByRole("heading", { name: "Delete the mail server?" });
  });

  test("says that SMTP_URL wins over the settings", async () => {
    const server = { host: "mail.example", port: 587, tls: "starttls", user: null } as const;
    const mail = { setBy: "variable", server: { ...server, sender: "a@b.example" } } as const;
    await show({ mail: { ...mail, problem: null } });
    screen.getByText(/SMTP_URL is set and overrides the settings/);
    expectAbsent(screen.queryByRole("button", { name: /mail server|Set up/ }));
    press("E-mail");
    screen.getByRole("dialog", { name: "Add an e-mail address" });
  });

  test("says when a calendar was read last, by what if that says its name, and that messages have no links without PUBLIC_URL", async () => {
    const ways = { totp: false, recoveryCodesLeft: 0, linked: false, password: true, offered: [] };
    const factors = { ...ways, passkeys: false };
    const read = { filter: "", alarmDays: null, lastFetchedAt: "2026-11-20T08:00:00.000Z" };
    const named = { ...read, id: "1", name: "Mine", lastFetchedBy: "Thunderbird" };
    const unnamed = { ...read, id: "2", name: "Ours", lastFetchedBy: null };
    await show({ calendars: [named, unnamed], factors });
    await screen.findByText(/Messages have no links: set PUBLIC_URL/);
    const [mine, ours] = screen.getAllByText(/^Last fetched/);
    expect(mine?.textContent).toEndWith(" by Thunderbird");
    expect(ours?.textContent).not.toContain("by");
  });

  test("a limited viewer has calendars alone, and asks for nothing else", async () => {
    await show({}, undefined, "limited");
    screen.getByRole("heading", { name: "Calendars" });
    expectAbsent(screen.queryByRole("button", { name: /E-mail|More|mail server/ }));
    const asked = api.calls.map(({ path }) => path);
    expect(new Set(asked)).toEqual(new Set(["/api/calendars", "/api/people/names"]));
  });

  test("a broken channel says why, repeats the answer to a test, and resumes", async () => {
    const broken = { ...hook, state: "broken", lastError: "HTTP 410: gone" };
    const register: Register = { channels: [broken] };
    await show(register, ({ method, path }) => {
      if (path.endsWith("/test")) return Response.json({ ok: false, said: "HTTP 410: still gone" });
      if (method !== "PATCH") return undefined;
      register.channels = [hook];
      return Response.json(hook);
    });
    expect(screen.getByRole("alert").textContent).toContain("HTTP 410: gone");
    press("Send a test");
    await screen.findByText(/^Not sent: .*still gone$/);
    press("Resume");
    await waitFor(() => expectAbsent(screen.queryByRole("alert")));
    expect(api.sent("PATCH /api/channels/c1")[0]?.body).toEqual({ state: "working" });
  });

  test("a channel that fails is loud on every other screen", async () => {
    const broken = { ...hook, state: "paused", lastError: "Wrong password" };
    await show({ channels: [broken] });
    expect(screen.getAllByRole("alert")).toHaveLength(1);
    cleanup();
    history.replaceState(null, "", "/settings");
    render(<Settings />);
    const said = await screen.findByText("Reminders don’t reach Ops: the channel is paused.");
    const alert = said.closest<HTMLElement>("[role=alert]") ?? document.body;
    expect(alert.textContent).toContain("Wrong password");
    expect(within(alert).getByRole("link").getAttribute("href")).toBe("/settings/reminders");
  });

  test("offers to turn reminders on that have a channel and are off", async () => {
    const register: Register = { channels: [hook] };
    await show(register, () => {
      register.reminders = { nextAt: "2026-11-23T07:00:00.000Z" };
      return undefined;
    });
    press("Turn on");
    await waitFor(() => expectAbsent(screen.queryByRole("button", { name: "Turn on" })));
    expect(api.sent("PUT /api/reminders")).toHaveLength(1);
  });

  test("saves the days that were changed and nothing else, and says how thresholds are written", async () => {
    let refuse = true;
    const errors = [{ pointer: "/thresholds/0", code: "range", detail: "Expected a whole number" }];
    const nextAt = "2026-11-23T07:00:00.000Z";
    await show({ channels: [hook], reminders: { nextAt } }, () =>
      refuse ? problem(422, "Bad", { errors }) : undefined,
    );
    type("Days before expiry", "0");
    press("Save");
    await screen.findByText(/for example 30, 14, 7/);
    const detail = "Leave at least one weekday for reminders";
    errors.splice(0, 1, { pointer: "/quietDays", code: "length", detail });
    press("Save");
    await screen.findByText(detail);
    refuse = false;
    type("Days before expiry", "45; 10 3");
    fireEvent.click(screen.getByLabelText("Sun"));
    press("Save");
    await screen.findByText("Reminders saved.");
    const body = { thresholds: [45, 10, 3], quietDays: [7] };
    expect(api.sent("PUT /api/reminders").at(-1)?.body).toEqual(body);
  });

  test("lists what was not sent and why, and sends it again", async () => {
    const register: Register = { channels: [hook], deliveries: [dead] };
    await show(register, () => {
      register.deliveries = [{ ...dead, state: "pending", nextAt: "2026-11-22T09:00:00.000Z" }];
      return new Response(null, { status: 204 });
    });
    const messages = within((await screen.findByText("Failed")).closest("li") ?? document.body);
    messages.getByText("HTTP 410: gone");
    messages.getByText(/· 2 domains expire today · 2 domains · Ops ·/);
    press("Send again", messages);
    await screen.findByText("Waiting");
    expect(api.sent("POST /api/deliveries/d1/retry")).toHaveLength(1);
  });
});
