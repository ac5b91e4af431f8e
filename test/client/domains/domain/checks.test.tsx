import { fireEvent, screen, within } from "@testing-library/react";
import { describe, expect, test } from "bun:test";
import { expectAbsent, hrefOf, textsOf } from "../../../support/elements.ts";
import { problem } from "../../../support/fake-api.ts";
import { detailOf, fakeDetail } from "../../../support/fake-detail.tsx";
import type { DomainDetail } from "../../../../src/shared/domain-detail.ts";

const { api, holds, open } = fakeDetail();

const HOUR_MS = 3_600_000;
const hours = (count: number) => new Date(Date.now() + count * HOUR_MS).toISOString();

const checkOf = (outcome: string, source: string, result: unknown = null) => ({
  outcome,
  source,
  checkedAt: hours(-3),
  answeredAt: outcome === "ok" || outcome === "absent" ? hours(-3) : null,
  nextAt: hours(24),
  detail: null,
  result,
});

const finding = {
  code: "client-hold",
  label: "Suspended by the registrar",
  severity: "critical",
  since: "2026-11-01T10:00:00Z",
  text: "Status: client hold",
  advice: "Ask the registrar why.",
} as const;

const registration = {
  expiresAt: "2027-05-05T23:30:00Z",
  createdAt: null,
  statuses: ["client hold"],
  nameServers: ["ns1.example.net"],
  ds: [],
  delegationSigned: true,
  registrar: "Gandi SAS",
};

const shown = () => screen.getByRole("region", { name: "Live checks" });

describe("Checks", () => {
  test("shows each source with its time, states as sentences, and what cannot wait on top", async () => {
    const low = { code: "no-transfer-lock", label: "No lock", severity: "low" } as const;
    const high = { code: "certificate-soon", label: "Soon over", severity: "high" } as const;
    holds(
      detailOf({
        checksOn: true,
        findings: [finding, { ...finding, ...high }, { ...finding, ...low }],
        waiting: ["http"],
        checks: {
          registry: checkOf("ok", "rdap:rdap.example.net", registration),
          registrar: checkOf("absent", "rdap-registrar:rdap.gandi.example"),
          dns: checkOf("timeout", "dns"),
          tls: checkOf("unreachable", "tls", "not what was expected"),
        },
      }),
    );
    open();
    const cause = await screen.findByText("Suspended by the registrar.");
    expect(cause.parentElement?.textContent).toContain("Ask the registrar why.");
    const top = within(screen.getByRole("region", { name: "Needs attention" }));
    expect(top.getByRole("listitem").textContent).toContain("High Soon over");
    expect(within(shown()).getByRole("listitem").textContent).toContain("Low No lock");
    const cards = within(shown()).getAllByRole("article");
    expect(textsOf(cards)).toEqual([
      expect.stringContaining("Registry rdap.example.netExpires onMay 5, 2027"),
      expect.stringContaining("This registrar publishes no date."),
      expect.stringContaining(
        "DNS No answer in time.Tried 3 hours ago, next tomorrow. Last answer: never",
      ),
      // Without DNS that says nothing of the website.
      expect.stringMatching(/^Certificate Can’t be reached\.Tried 3 hours ago/),
      "WebsiteNot checked yet.",
    ]);
    expect(cards[0]?.textContent).toContain("DNSSECSigned");
  });

  test("says where a TLD has no public source, and where checks are off", async () => {
    holds(detailOf({ checks: { dns: checkOf("ok", "dns"), tls: checkOf("unreachable", "tls") } }));
    open();
    await screen.findByText("No HTTPS: nothing answers on port 443.");
    await screen.findByText("No public source for .example domains.");
    expect(hrefOf("Turn them on")).toBe("/checks");
    expectAbsent(screen.queryByRole("button", { name: "Check now" }));
  });

  test("checks now, and shows the answers as soon as they are there", async () => {
    const known = detailOf({ checksOn: true, checks: { dns: checkOf("timeout", "dns") } });
    holds(known);
    const { answer } = api;
    open();
    const button = await screen.findByRole("button", { name: "Check now" });
    api.answer = (call) =>
      call.method === "POST" ? problem(409, "Live checks are off.") : answer(call);
    fireEvent.click(button);
    await screen.findByText("Live checks are off.");
    const dns = { ...checkOf("timeout", "dns"), checkedAt: hours(0) };
    const checkNow = (checked: DomainDetail) => {
      api.answer = (call) => {
        if (call.method !== "POST") return answer(call);
        holds(checked);
        return Response.json({}, { status: 202 });
      };
      fireEvent.click(button);
    };
    checkNow({ ...known, checks: { dns } });
    await screen.findByText("1 of 1 didn’t answer.");
    const now = hours(0.01);
    const answered = { ...dns, outcome: "ok", checkedAt: now, answeredAt: now };
    checkNow({ ...known, checks: { dns: answered } });
    await screen.findByText("Checked just now.");
    expectAbsent(screen.queryByText("No answer in time."));
    expect(api.sent(`POST /api/domains/${known.id}/check`)).toHaveLength(3);
  });
});
