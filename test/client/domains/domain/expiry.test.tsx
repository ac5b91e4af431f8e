import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { addDays } from "../../../../src/shared/day.ts";
import { invalidate } from "../../../../src/client/register/resource.tsx";
import { localToday } from "../../../../src/client/ui/format.ts";
import { expectAbsent } from "../../../support/elements.ts";
import { domainOf, problem } from "../../../support/fake-api.ts";
import { detailOf, DISPUTED, fakeDetail, NAME, said } from "../../../support/fake-detail.tsx";

const { edits, holds, open } = fakeDetail();

describe("Expiry", () => {
  test("shows who says which day, and that they disagree", async () => {
    const observations = [said("Gandi", "2027-05-05"), said("old list", "2027-06-06")];
    holds(detailOf({ expires: DISPUTED, observations: [...observations, said("manual", null)] }));
    open();
    expect(await screen.findByText(/Your sources give different dates/)).toBeDefined();
    expect(screen.getByRole("rowheader", { name: "Gandi In use" })).toBeDefined();
    expect(screen.getByRole("rowheader", { name: "old list" })).toBeDefined();
    const mine = screen.getByRole("row", { name: /You/ });
    expect(within(mine).getByText("Withdrawn")).toBeDefined();
    expectAbsent(within(mine).queryByRole("button"));
  });

  test.each([
    ["Gandi", 9, "Gandi’s date is used because it is the newest."],
    [
      "Gandi",
      10,
      "Gandi’s date is used because it was reported after the registry’s last changed.",
    ],
    ["rdap:nic.example", 10, "Registry (nic.example)’s date is used because it is newer than the"],
  ])("says why the date of %s counts in a conflict by rule %d", async (source, rule, why) => {
    holds(detailOf({ expires: { ...DISPUTED, source }, expiryRule: rule }));
    open();
    expect(await screen.findByText(why, { exact: false })).toBeDefined();
  });

  test("shows the earliest date of a conflict first, and what the others say", async () => {
    const alternatives = [{ date: "2026-12-03", source: "GoDaddy" }];
    const observations = [said("Gandi", "2027-05-05"), said("GoDaddy", "2026-12-03")];
    holds(detailOf({ expires: { ...DISPUTED, alternatives }, observations }));
    open();
    expect(await screen.findByText("From GoDaddy; Gandi says May 5, 2027")).toBeDefined();
    expect(screen.getAllByText("Dec 3, 2026")).toHaveLength(2);
    const earliest = screen.getByRole("rowheader", { name: /^GoDaddy/ });
    expect(earliest.textContent).toBe("GoDaddy Earliest, for reminders and lists");
    expect(screen.getByText(/reminders and lists go by the earliest/)).toBeDefined();
  });

  test("says to look at auto-renew of a dropped domain where it is unknown", async () => {
    const expires = { ...DISPUTED, conflict: false, alternatives: [], date: localToday() };
    holds(detailOf({ expires, decision: "drop", autoRenew: null }));
    open();
    await screen.findByText(
      "You want to drop it, but auto-renew is unknown. Check that auto-renew is off at the registrar.",
    );
    fireEvent.click(screen.getByRole("button", { name: "Auto-renew is off now" }));
    await waitFor(() => expect(edits()[0]?.body).toEqual({ autoRenew: false }));
  });

  test("says who named the only day, and when", async () => {
    holds(detailOf({ expires: DISPUTED, observations: [said("Gandi", "2027-05-05")] }));
    open();
    expect(await screen.findByText("From Gandi, Nov 1, 2026")).toBeDefined();
    expectAbsent(screen.queryByRole("table"));
  });

  test("puts the source that counts before those that do not", async () => {
    const observations = [said("new list", "2027-06-06"), said("manual", "2027-05-05")];
    holds(detailOf({ expires: { ...DISPUTED, source: "manual" }, observations }));
    open();
    const sources = (await screen.findAllByRole("rowheader")).map((each) => each.textContent);
    expect(sources).toEqual(["You In use", "new list"]);
  });

  test("pins the day of a source, and takes the pin away", async () => {
    holds(detailOf({ expires: DISPUTED, observations: [said("Gandi", "2027-05-05")] }));
    open();
    fireEvent.click(
      await screen.findByRole("button", { name: "Keep this date: 2027-05-05 from Gandi" }),
    );
    await screen.findByText("Saved bücher.example.");
    const [pin] = edits();
    expect(pin?.body).toEqual({ expires: "2027-05-05" });
    expect(pin?.headers.get("if-match")).toBe('"1"');

    const pinned = { ...DISPUTED, source: "manual" };
    holds(detailOf({ version: 2, expires: pinned, observations: [said("manual", "2027-05-05")] }));
    act(() => invalidate("/api/"));
    fireEvent.click(await screen.findByRole("button", { name: "Remove my choice of 2027-05-05" }));
    await waitFor(() => expect(edits()[1]?.body).toEqual({ expires: null }));
  });

  test("asks for what the decision needs, until it is done", async () => {
    const expires = {
      ...DISPUTED,
      conflict: false,
      alternatives: [],
      date: addDays(localToday(), 9),
    };
    const start = detailOf({ expires, decision: "keep", loginUrl: "https://gandi.example/" });
    holds({ ...start, registrar: "Gandi" });
    open();
    expect(await screen.findByText("Auto-renew is unknown. Renew it at Gandi.")).toBeDefined();
    expect(screen.getByRole("link", { name: /^Go to Gandi/ })).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Renewed" }));
    fireEvent.click(await screen.findByRole("button", { name: "Wait for the next import" }));
    await waitFor(() => expect(edits()[0]?.body).toEqual({ doneFor: expires.date }));
    holds({ ...start, version: 3, doneFor: expires.date });
    act(() => invalidate("/api/"));
    fireEvent.click(await screen.findByRole("button", { name: "Not done yet" }));
    await waitFor(() => expect(edits()[1]?.body).toEqual({ doneFor: null }));
    holds({ ...start, version: 4 });
    act(() => invalidate("/api/"));
    fireEvent.click(await screen.findByRole("button", { name: "Renewed" }));
    const day = addDays(localToday(), 400);
    const form = within(await screen.findByRole("dialog"));
    const type = (value: string) =>
      fireEvent.change(form.getByLabelText("New expiry date"), { target: { value } });
    type(expires.date);
    fireEvent.click(form.getByRole("button", { name: "Save" }));
    expect(form.getByText(/^Enter a date after/)).toBeDefined();
    type(day);
    fireEvent.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(edits()[2]?.body).toEqual({ expires: day }));
  });

  test("warns of a domain to be dropped that renews itself", async () => {
    const expires = {
      ...DISPUTED,
      conflict: false,
      alternatives: [],
      date: addDays(localToday(), 9),
    };
    holds(detailOf({ expires, decision: "drop", autoRenew: true }));
    open();
    fireEvent.click(await screen.findByRole("button", { name: "Auto-renew is off now" }));
    await waitFor(() => expect(edits()[0]?.body).toEqual({ autoRenew: false }));
  });

  test("shows what is there now when a pin loses a race", async () => {
    const start = detailOf({ expires: DISPUTED, observations: [said("Gandi", "2027-05-05")] });
    holds(start, () =>
      problem(412, "Stale.", { current: domainOf(NAME, { version: 7, registrar: "OVH" }) }),
    );
    open();
    fireEvent.click(await screen.findByRole("button", { name: /^Keep this date/ }));
    expect((await screen.findByRole("alert")).textContent).toContain("choose again");
    expect(screen.getByRole("link", { name: "OVH" })).toBeDefined();
  });
});
