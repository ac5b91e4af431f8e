import { act, fireEvent, render, screen } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { Router } from "wouter";
import Costs from "../../../src/client/costs/costs.tsx";
import type { CostReport } from "../../../src/shared/costs.ts";
import { DEFAULT_SETTINGS } from "../../../src/shared/settings.ts";
import { expectAbsent } from "../../support/elements.ts";
import { fakeApi } from "../../support/fake-api.ts";

const api = fakeApi();
const report: CostReport = {
  from: "2027-01",
  to: "2027-12",
  rows: [],
  totals: [],
  left: 0,
  unpriced: 0,
  sales: [],
};

describe("Costs", () => {
  test("shows the report before until the next is there", async () => {
    await api.enter({ state: "signed-in", email: "ada@example.com" });
    history.replaceState(null, "", "/costs");
    let answer: (response: Response) => void = () => {};
    api.answer = ({ path, query }) => {
      if (path === "/api/settings") return Response.json(DEFAULT_SETTINGS);
      if (path !== "/api/costs") return Response.json({ items: [] });
      if (query.get("what") !== "sales") return Response.json(report);
      return new Promise((resolve) => (answer = resolve));
    };
    render(
      <Router>
        <Costs />
      </Router>,
    );
    const before = "No coming renewals from January 2027 to December 2027.";
    await screen.findByText(before);
    fireEvent.change(screen.getByLabelText("Show"), { target: { value: "sales" } });
    expect(screen.getByText(before)).toBeDefined();
    await act(async () => answer(Response.json({ ...report, from: "2026-01", to: "2026-12" })));
    expect(screen.getByText("No sales from January 2026 to December 2026.")).toBeDefined();
    expectAbsent(screen.queryByText(before));
  });
});
