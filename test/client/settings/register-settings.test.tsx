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
    ["Main currency", "CHF", { currency: "CHF" }],
  ])("sends %s alone, and leaves what somebody else has changed", async (label, value, body) => {
    type(label, value);
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByLabelText("Lead time (days)");
    expect(api.sent("PATCH /api/settings")[0]?.body).toEqual(body);
  });

  test("asks for the rates of another main currency, and shows those of the one before for it alone", async () => {
    const rate = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
    type("Main currency", "CHF");
    expect([rate("1 USD in CHF"), rate("1 GBP in CHF")]).toEqual(["", ""]);
    type("Main currency", "EUR");
    expect([rate("1 USD in EUR"), rate("1 GBP in EUR")]).toEqual(["0.9", "1.17"]);
    type("Main currency", "CHF");
    type("1 USD in CHF", "0.9");
    fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByLabelText("Lead time (days)");
    const body = { currency: "CHF", rates: { USD: 0.9 } };
    expect(api.sent("PATCH /api/settings")[0]?.body).toEqual(body);
  });
});
