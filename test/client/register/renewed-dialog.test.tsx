import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import RenewedDialog from "../../../src/client/register/dialogs/renewed-dialog.tsx";
import { formatDayDigits } from "../../../src/client/ui/day-box.tsx";
import type { Domain } from "../../../src/shared/domain.ts";
import { domainOf, expiryOf, fakeApi, problem } from "../../support/fake-api.ts";

const api = fakeApi("/home");
const due = (name: string, date: string, known: Partial<Domain> = {}) =>
  domainOf(name, { expires: expiryOf(date), ...known });

describe("RenewedDialog", () => {
  test("shows each new date first, and saves all that is shown and the rest at once", async () => {
    const expires = expiryOf("2099-10-20", "IONOS", ["2098-12-03", "GoDaddy"]);
    const one = domainOf("one.example", { expires });
    const two = due("two.example", "2099-01-01", {
      renewal: { minor: 1, currency: "EUR", years: 2 },
    });
    const drop = due("drop.example", "2099-01-01", { decision: "drop" });
    const sent: unknown[] = [];
    let done: string | undefined;
    api.answer = ({ method, body }) => {
      if (method === "GET") {
        return Response.json({ items: [one, two, drop], total: 40, all: 90, next: null });
      }
      sent.push(body);
      return sent.length === 1
        ? problem(409, "Another number.", { count: 39 })
        : Response.json({ matched: 39, changed: 38, operation: "op" });
    };
    render(
      <RenewedDialog
        target={{ filter: { work: ["expired"] }, ids: null, count: 40 }}
        onDone={(text) => (done = text)}
        onClose={() => {}}
      />,
    );
    const box = await screen.findByRole<HTMLInputElement>("textbox", { name: "one.example" });
    expect(box.value).toBe(formatDayDigits("2099-12-03"));
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: "two.example" }).value).toBe(
      formatDayDigits("2101-01-01"),
    );
    screen.getByText(/^37 more move by their renewal period/);
    screen.getByText(/^1 is left out/);
    screen.getByRole("dialog", { name: "Mark 39 domains as renewed" });
    const save = screen.getByRole("button", { name: "Mark as renewed" });
    fireEvent.change(box, { target: { value: formatDayDigits("2098-12-03") } });
    fireEvent.click(save);
    await screen.findByText(/^Enter a date after/);
    expect(sent).toEqual([]);
    fireEvent.change(box, { target: { value: formatDayDigits("2100-01-01") } });
    fireEvent.click(save);
    await screen.findByText(/^39 domains match now, not 40/);
    fireEvent.click(save);
    await screen.findByRole("dialog", { name: "Mark 39 domains as renewed" });
    await waitFor(() =>
      expect(done).toBe("38 domains marked as renewed. 1 domain needed no change."),
    );
    expect(sent[1]).toMatchObject({
      select: { filter: { work: ["expired"] }, expectedCount: 39 },
      op: { kind: "renewed", dates: { [one.id]: "2100-01-01", [two.id]: "2101-01-01" } },
    });
  });
});
