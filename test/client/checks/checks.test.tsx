import { act, render, screen } from "@testing-library/react";
import { describe, expect, jest, test } from "bun:test";
import ChecksScreen from "../../../src/client/checks/checks.tsx";
import type { ChecksStatus } from "../../../src/shared/checks.ts";
import { expectAbsent, hrefOf, pressLater, textsOf } from "../../support/elements.ts";
import { fakeApi } from "../../support/fake-api.ts";

const api = fakeApi("/checks");

const IDLE: ChecksStatus = {
  on: false,
  choice: null,
  fixed: false,
  due: 0,
  running: 0,
  estimate: null,
  nextAt: null,
  reach: null,
  hosts: [],
  bootstrap: { publication: "2026-07-23T00:00:00Z", tlds: 1200 },
  outcomes: {},
  unsupported: [],
};

const STARTING: NonNullable<ChecksStatus["reach"]> = {
  state: "starting",
  answeredAt: null,
  kinds: [],
};

const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();

const kind = (name: "registry" | "dns" | "whois", ago: number | null, isSilent = false) => {
  return { kind: name, answeredAt: ago === null ? null : minutes(-ago), isSilent };
};

/** Opens the screen in one state, and closes it behind the test's look at it. */
async function show(status: ChecksStatus): Promise<AsyncDisposable> {
  api.answer = () => Response.json(status);
  const { unmount } = render(<ChecksScreen />);
  await screen.findByRole("heading", { name: "Progress" });
  return { [Symbol.asyncDispose]: () => act(async () => unmount()) };
}

describe("Checks screen", () => {
  test("says how long checks take, and that all are up to date, only while they are answered", async () => {
    const kinds = [kind("registry", 1), kind("dns", 1)];
    const reach = { state: "answering" as const, answeredAt: minutes(-1), kinds };
    const on = { ...IDLE, on: true, choice: true, reach };
    const due = { ...on, due: 307, estimate: minutes(2.2) };
    const idle = { ...on, nextAt: minutes(60 * 24 * 3) };
    for (const [status, text] of [
      [due, "307 checks left, done in 2 minutes."],
      [{ ...due, due: 1, estimate: minutes(0.2) }, "1 check left, done in a moment."],
      [{ ...due, reach: { ...reach, state: "silent" } }, "307 checks left."],
      [idle, "All checks are up to date. The next one runs in 3 days."],
    ] as const) {
      await using _ = await show(status);
      screen.getByText(text);
    }
    for (const state of ["silent", "partly", "starting"] as const) {
      await using _ = await show({ ...idle, reach: { ...reach, state } });
      expectAbsent(screen.queryByText(/are up to date/));
    }
  });

  test("admits that nothing answers, or who never did, and says what to open", async () => {
    const never = [kind("registry", null, true), kind("dns", null, true)];
    const on: ChecksStatus = { ...IDLE, on: true, choice: true };
    {
      await using _ = await show({ ...on, reach: { ...STARTING, state: "silent", kinds: never } });
      expect(screen.getByRole("alert").textContent).toBe(
        "Live checks can’t reach the internet. Last answer: never. Your dates come from imports only.",
      );
      const rows = textsOf(screen.getAllByRole("row"));
      expect(rows.slice(1)).toEqual(["RegistriesneverTCP 443", "DNS resolversneverUDP and TCP 53"]);
    }
    const kinds = [kind("registry", null, true), kind("whois", null, true), kind("dns", 180, true)];
    await using _ = await show({ ...on, reach: { ...STARTING, state: "partly", kinds } });
    expect(screen.getByRole("status").textContent).toBe(
      "Never answered: Registries, WHOIS servers. DNS resolvers last answered 3 hours ago. Without them, dates come from imports only.",
    );
  });

  test("turns checks on, and shows the progress that the answer brings", async () => {
    api.answer = ({ method }) =>
      Response.json(
        method === "PUT"
          ? { ...IDLE, on: true, choice: true, reach: STARTING, due: 1234, running: 5 }
          : IDLE,
      );
    render(<ChecksScreen />);
    await pressLater("Turn on");
    await screen.findByRole("heading", { name: "Live checks are on" });
    expect(api.sent("PUT /api/checks")[0]?.body).toEqual({ on: true });
    screen.getByText("1,234 checks left, 5 running.");
    screen.getByRole("progressbar");
  });

  test("names who makes us wait first, what answers came, and TLDs without a source", async () => {
    const quick = { kind: "rdap", intervalMs: 1000, today: 7, lastOutcome: "ok" };
    const good = { ...quick, nextAt: "2026-11-22T10:00:00Z", blockedUntil: null };
    const blockedUntil = "2026-11-22T12:00:00Z";
    const slow = { ...good, intervalMs: 4000, today: 2, lastOutcome: "limited", blockedUntil };
    api.answer = () =>
      Response.json({
        ...IDLE,
        on: true,
        fixed: true,
        outcomes: { ok: 12, limited: 3 },
        unsupported: ["ba"],
        hosts: [
          { ...good, host: "good.example" },
          { ...slow, host: "slow.example" },
        ],
      } satisfies ChecksStatus);
    render(<ChecksScreen />);
    const rows = await screen.findAllByRole("row");
    expect(rows[1]?.textContent).toMatch(
      /^slow\.example RDAP21 every 4 sAsked for fewer requestsPaused until/,
    );
    expect(rows[2]?.textContent).toBe("good.example RDAP71 per secondAnswered");
    expect(
      screen.getByText("Asked for fewer requests", { selector: "dt" }).nextSibling?.textContent,
    ).toBe("3");
    expect(hrefOf(".ba")).toBe("/domains?tld=ba");
    screen.getByText(/^This server’s variable/);
    expectAbsent(screen.queryByRole("button", { name: "Turn off" }));
  });

  test.each(["editor", "viewer"] as const)("tells an %s that an owner decides", async (role) => {
    await api.enter({ state: "signed-in", email: "ada@example.com", role });
    api.answer = () => Response.json(IDLE);
    render(<ChecksScreen />);
    await screen.findByText("An owner decides.");
    expectAbsent(screen.queryByRole("button", { name: "Turn on" }));
  });

  test("shows an answer that takes longer than the pause between two requests", async () => {
    jest.useFakeTimers();
    try {
      const held: ((answer: Response) => void)[] = [];
      api.answer = () => new Promise((resolve) => held.push(resolve));
      await act(async () => void render(<ChecksScreen />));
      await act(async () => void jest.advanceTimersByTime(12_000));
      expect(api.sent("GET /api/checks")).toHaveLength(1);
      await act(async () => held.forEach((answer) => answer(Response.json(IDLE))));
      screen.getByRole("heading", { name: "Live checks are off" });
    } finally {
      jest.useRealTimers();
    }
  });
});
