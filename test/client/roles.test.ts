import { describe, expect, test } from "bun:test";
import { bulkActionsFor } from "../../src/client/domains/list/bulk-actions.tsx";
import { DOMAIN_ACTIONS, type DomainQuestion } from "../../src/client/register/domain-actions.ts";
import { screens } from "../../src/client/screens.ts";
import { UNKNOWN_VALUES } from "../../src/shared/domain.ts";
import { rightsOf, type Right } from "../../src/shared/session.ts";
import { DEFAULT_SORT } from "../../src/shared/view.ts";
import { startBackend } from "../support/backend-server.ts";

await using server = await startBackend();
const roles = new Map(
  server.backend.routes.map(({ method, path, role }) => [`${method} ${path}`, role]),
);

/** The least role of a route that there has to be. */
function leastOf(call: string): Right {
  const role = roles.get(call);
  if (role === undefined) throw new Error(`There is no route ${call}`);
  return role;
}

/** What each screen is of no use without. */
const SCREENS: Readonly<Record<string, string>> = {
  "/": "GET /api/summary",
  "/home": "GET /api/summary",
  "/domains": "GET /api/domains",
  "/changes": "GET /api/changes",
  "/domains/import": "POST /api/imports",
  "/domains/bin": "GET /api/bin",
  "/domains/:domain": "GET /api/domains/:id",
  "/registrars": "GET /api/registrars",
  "/registrars/connect": "POST /api/accounts",
  "/registrars/accounts/:account": "GET /api/accounts/:id",
  "/costs": "GET /api/costs",
  "/costs/statement": "GET /api/costs/statement",
  "/checks": "GET /api/checks",
  "/settings": "GET /api/settings",
  "/settings/reminders": "GET /api/calendars",
  "/settings/people": "GET /api/people",
  "/settings/security": "GET /api/sessions",
  "/settings/tokens": "GET /api/tokens",
  "/settings/audit": "GET /api/audit",
};

/** What is sent once a question is answered; any other changes the domain. */
const ASKED: { readonly [Q in DomainQuestion]?: string } = {
  delete: "DELETE /api/domains/:id",
  handled: "PUT /api/domains/:id/handled",
};

const domain = { ...UNKNOWN_VALUES, id: "1", version: 1, name: "a.example", unicode: "a.example" };

describe("what a role is offered", () => {
  test.each(Object.entries(screens))("needs no more than %s says", (path, { role = "viewer" }) => {
    expect(SCREENS).toHaveProperty([path]);
    expect(role).toSatisfy(() => rightsOf(role).includes(leastOf(SCREENS[path] ?? "")));
  });

  test.each(DOMAIN_ACTIONS.map((action) => [action.id, action] as const))(
    "is %s of one domain only where the API lets it",
    (_, { run }) => {
      const calls: string[] = [];
      void run(domain, {
        change: () => calls.push("PATCH /api/domains/:id"),
        ask: (question) => calls.push(ASKED[question] ?? "PATCH /api/domains/:id"),
      });
      // The decision that a domain has is not sent again.
      expect(calls.length).toBeLessThanOrEqual(1);
      for (const call of calls) expect(rightsOf("editor").includes(leastOf(call))).toBe(true);
    },
  );

  const view = { filter: {}, sort: DEFAULT_SORT };
  const target = { filter: {}, ids: ["1"], count: 1 };
  test.each(
    bulkActionsFor(view, true)
      .filter(({ label }) => label !== "Export")
      .map((action) => [action.label, action] as const),
  )("is %s of many domains only where the API lets it", (_, { role, run }) => {
    let asked = 0;
    run({ view, target, ask: () => (asked += 1), change: () => (asked += 1) });
    expect(asked).toBe(1);
    expect(rightsOf(role).includes(leastOf("POST /api/domains/bulk"))).toBe(true);
  });

  test("is the export of many domains where the API lets it", () => {
    const action = bulkActionsFor(view, true).find(({ label }) => label === "Export");
    for (const call of ["GET /api/domains.csv", "POST /api/domains.csv"]) {
      expect(rightsOf(action?.role ?? null).includes(leastOf(call))).toBe(true);
    }
  });
});
