import { describe, expect, setSystemTime, test } from "bun:test";
import { startBackend } from "../../support/backend-server.ts";
import { onSqlite } from "../../support/both-databases.ts";

const WRONG = "not the password";

describe("the limit of attempts", () => {
  onSqlite(
    "refuses the tenth failure and then even the right password, with Retry-After",
    async () => {
      await using server = await startBackend();
      await server.owner();
      const client = server.visitor();
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 10; attempt += 1) {
        statuses.push((await client.signIn(WRONG)).status);
      }
      expect(statuses).toEqual([...Array.from({ length: 9 }, () => 401), 429]);
      const right = await client.signIn();
      expect(right.status).toBe(429);
      expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(120);
      expect((await right.json()).detail).toEndWith("Try again in 15 minutes.");
      try {
        setSystemTime(Date.now() + 15 * 60_000);
        expect((await client.signIn()).status).toBe(200);
      } finally {
        setSystemTime();
      }
    },
  );

  test("forgets the failures of an address that has signed in", async () => {
    await using server = await startBackend();
    await server.owner();
    const client = server.visitor();
    for (const round of [1, 2]) {
      for (let attempt = 0; attempt < 9; attempt += 1) await client.signIn(`${WRONG} ${round}`);
      expect((await client.signIn()).status).toBe(200);
    }
  });
});
