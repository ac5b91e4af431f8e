import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { addDays } from "../../../../src/shared/day.ts";
import { invalidate } from "../../../../src/client/register/resource.tsx";
import { localToday } from "../../../../src/client/ui/format.ts";
import { expectAbsent, press, pressLater, type } from "../../../support/elements.ts";
import { domainOf, problem } from "../../../support/fake-api.ts";
import { detailOf, DISPUTED, fakeDetail, NAME, said } from "../../../support/fake-detail.tsx";

const { edits, holds, open } = fakeDetail();

const SETTLED = { ...DISPUTED, conflict: false, alternatives: [] };

describe("Expiry", () => {
  /** The line of a source among the dates. */
  const lineOf = async (source: string) => {
    const line = (await screen.findByText(new RegExp(`^${source} · `))).closest("li");
    if (!line) throw new Error(`No line of ${source}`);
    return within(line);
  };

  test("shows all days and who says them, with one in use and each to be chosen", async () => {
    const alternatives = [
      { date: "2026-12-03", source: "GoDaddy", observedAt: "" },
      { date: "2030-10-14", source: "old list", observedAt: "" },
    ];
    const observations = [
      said("Gandi", "2027-05-05"),
      said("GoDaddy", "2026-12-03"),
      said("old list", "2030-10-14"),
      said("manual", null),
    ];
    holds(detailOf({ expires: { ...DISPUTED, alternatives }, observations }));
    open();
    const earliest = await lineOf("GoDaddy");
    earliest.getByText("✓");
    expect(screen.getAllByText("✓")).toHaveLength(1);
    screen.getByText("Until you choose, the earlier date counts.");
    for (const name of [
      "Use December 3, 2026 from GoDaddy",
      "Use May 5, 2027 from Gandi",
      "Use October 14, 2030 from old list",
    ])
      screen.getByRole("button", { name });
    const mine = await lineOf("By hand");
    mine.getByText("Withdrawn");
    expectAbsent(mine.queryByRole("button"));
  });

  test("says why a date counts that is not the only one", async () => {
    const observations = [said("Gandi", "2027-05-05"), said("rdap:nic.example", "2028-05-05")];
    holds(detailOf({ expires: SETTLED, observations, expiryRule: 2 }));
    open();
    expect((await lineOf("Gandi")).getByText("✓")).toBeDefined();
    screen.getByText(/^The registry added a year by itself/);
  });

  test("says to look at auto-renew of a dropped domain where it is unknown", async () => {
    const expires = { ...SETTLED, date: localToday() };
    holds(detailOf({ expires, decision: "drop", autoRenew: null }));
    open();
    await screen.findByText("You want to drop it, but auto-renew is unknown.");
    screen.getByText(/Check that auto-renew is off at the registrar\./);
    press("Auto-renew is off now");
    await waitFor(() => expect(edits()[0]?.body).toEqual({ autoRenew: false }));
  });

  test("pins the day of a source, and takes the pin away", async () => {
    holds(detailOf({ expires: DISPUTED, observations: [said("Gandi", "2027-05-05")] }));
    open();
    await pressLater("Use May 5, 2027 from Gandi");
    await screen.findByText("bücher.example now expires on May 5, 2027.");
    const [pin] = edits();
    expect(pin?.body).toEqual({ expires: "2027-05-05" });
    expect(pin?.headers.get("if-match")).toBe('"1"');

    const pinned = { ...DISPUTED, source: "manual" };
    holds(detailOf({ version: 2, expires: pinned, observations: [said("manual", "2027-05-05")] }));
    act(() => invalidate("/api/"));
    await pressLater("Remove the choice of May 5, 2027");
    await waitFor(() => expect(edits()[1]?.body).toEqual({ expires: null }));
  });

  test("asks for what the decision needs, until it is done", async () => {
    const expires = { ...SETTLED, date: addDays(localToday(), 9) };
    const start = detailOf({ expires, decision: "keep", loginUrl: "https://gandi.example/" });
    holds({ ...start, registrar: "Gandi" });
    open();
    expect((await screen.findByText("Auto-renew is unknown.")).className).toBe("cause");
    screen.getByText(/Renew it at Gandi\./);
    screen.getByRole("link", { name: /^Go to Gandi/ });
    press("Renewed");
    await pressLater("Wait for the next import");
    await waitFor(() => expect(edits()[0]?.body).toEqual({ doneFor: expires.date }));
    holds({ ...start, version: 3, doneFor: expires.date });
    act(() => invalidate("/api/"));
    await pressLater("Not done yet");
    await waitFor(() => expect(edits()[1]?.body).toEqual({ doneFor: null }));
    holds({ ...start, version: 4 });
    act(() => invalidate("/api/"));
    await pressLater("Renewed");
    const day = addDays(localToday(), 400);
    const form = within(await screen.findByRole("dialog"));
    type("New expiry date", expires.date, form);
    press("Save", form);
    form.getByText(/^Enter a date after/);
    type("New expiry date", day, form);
    press("Save", form);
    await waitFor(() => expect(edits()[2]?.body).toEqual({ expires: day }));
  });

  test("leads to the registrar at once where it has put a domain on hold, not where it is a new one", async () => {
    const expires = { ...SETTLED, date: addDays(localToday(), 400) };
    const start = {
      ...detailOf({ expires, loginUrl: "https://gandi.example/" }),
      registrar: "Gandi",
    };
    const found = (code: string, severity: "critical" | "low") => ({
      findingCodes: [code],
      findings: [{ code, severity, label: code, since: "2026-11-01", text: "", advice: "" }],
    });
    holds({ ...start, ...found("registrar-on-hold", "critical") });
    open();
    await screen.findByRole("link", { name: /^Go to Gandi/ });
    screen.getByRole("button", { name: "Drop" });
    holds({ ...start, version: 2, ...found("registrar-changed", "low") });
    act(() => invalidate("/api/"));
    await waitFor(() => expectAbsent(screen.queryByRole("link", { name: /^Go to Gandi/ })));
    expectAbsent(screen.queryByRole("button", { name: "Drop" }));
  });

  test("shows what is there now when a pin loses a race", async () => {
    const start = detailOf({ expires: DISPUTED, observations: [said("Gandi", "2027-05-05")] });
    holds(start, () =>
      problem(412, "Stale.", { current: domainOf(NAME, { version: 7, registrar: "OVH" }) }),
    );
    open();
    await pressLater(/^Use .*2027/);
    expect((await screen.findByRole("alert")).textContent).toContain("choose again");
    screen.getByRole("link", { name: "OVH" });
  });
});
