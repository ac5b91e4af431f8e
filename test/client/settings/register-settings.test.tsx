import { fireEvent, render, screen } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "bun:test";
import { RegisterSettings } from "../../../src/client/settings/register-settings.tsx";
import { FACETS, fakeApi } from "../../support/fake-api.ts";

const api = fakeApi();
const settings = { leadDays: 60, currency: "EUR", rates: { USD: 0.9, GBP: 1.17 } };
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

beforeEach(async () => {
  await api.enter({ state: "signed-in", email: "ada@example.com" });
  api.answer = ({ path }) => Response.json(path === "/api/facets" ? FACETS : settings);
  render(<RegisterSettings />);
  await screen.findByLabelText("Lead time (days)");
});

describe("RegisterSettings", () => {
  test.each([
    ["Lead time (days)", "30", { leadDays: 30 }],
    ["1 USD in EUR", "0.95", { rates: { USD: 0.95 } }],
    ["1 GBP in EUR", "", { rates: { GBP: null } }],
    ["Main currency", "CHF", { currency: "CHF", rates: { USD: 0.9, GBP: 1.17 } }],
  ])("sends %s alone, and leaves what somebody else has changed", async (label, value, body) => {
    type(label, value);
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByLabelText("Lead time (days)");
    expect(api.sent("PATCH /api/settings")[0]?.body).toEqual(body);
  });
});
