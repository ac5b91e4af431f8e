import { test as bunTest, describe, expect } from "bun:test";
import { OPTION_CHECKS } from "../../../src/backend/backend.ts";
import { parseAccount, parseRegistrarApis } from "../../../src/shared/accounts.ts";
import { ParseError } from "../../../src/shared/parse.ts";
import { SECRET, startAccounts } from "../../support/accounts.ts";
import { databaseKind, test } from "../../support/both-databases.ts";
import { startBackend } from "../../support/backend-server.ts";

describe("REGISTRAR_APIS", () => {
  bunTest("says where registrars answer, within the networks that are allowed", async () => {
    using registrar = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const { pathname } = new URL(request.url);
        const domains = [
          { domain: "ash.example", status: "ACTIVE", expireDate: "2027-06-01 00:00:00" },
        ];
        return Response.json(
          pathname.endsWith("/listAll") ? { status: "SUCCESS", domains } : { status: "ERROR" },
        );
      },
    });
    const apis = { porkbun: { origin: registrar.url.origin, intervalMs: 0 } };
    for (const [allow, status] of [
      [[], 422],
      [["127.0.0.0/8"], 201],
    ] as const) {
      await using house = await startAccounts({
        accounts: { apis },
        reminders: { allow },
      });
      const known = parseRegistrarApis(await house.client.json("/api/registrar-apis")).items;
      expect(known.map(({ registrar: id }) => id)).toContain("porkbun");
      const json = { registrar: "porkbun", fields: { apikey: "pk1_abcdef", secretapikey: SECRET } };
      const added = await house.client.post("/api/accounts", json);
      expect(added.status).toBe(status);
      if (status === 422) continue;
      const { id } = parseAccount(await added.json());
      await house.step();
      expect(await house.names(id, "new")).toMatchObject([
        { name: "ash.example", expires: "2027-06-01", status: "active" },
      ]);
    }
  });

  bunTest("is refused where it cannot be used", () => {
    for (const apis of [
      { acme: {} },
      { porkbun: { origin: "http://registrar.example" } },
      { porkbun: { origin: "https://registrar.example/path" } },
      { porkbun: { origin: "nonsense" } },
      { porkbun: { intervalMs: -1 } },
      { porkbun: { url: "https://registrar.example" } },
      [],
    ]) {
      expect(() => OPTION_CHECKS.REGISTRAR_APIS(apis)).toThrow(ParseError);
    }
  });
});

test("a Postgres without CREDENTIALS_KEY says what is missing where an account is added", async () => {
  if (databaseKind() === "sqlite") return;
  await using server = await startBackend({ credentialsKey: null });
  const client = await server.owner();
  const json = { registrar: "porkbun", fields: { apikey: "A", secretapikey: SECRET } };
  const answer = await client.post("/api/accounts", json);
  expect(answer.status).toBe(409);
  expect((await answer.json()).detail).toContain("CREDENTIALS_KEY");
});
