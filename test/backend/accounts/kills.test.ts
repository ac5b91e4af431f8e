import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startAccounts } from "../../support/accounts.ts";
import { hasPostgres, preparedPostgres } from "../../support/postgres.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";

/** By hand: `ACCOUNT_KILLS=50`. */
const KILLS = Number(process.env["ACCOUNT_KILLS"] ?? 1);
const NAMES = 60;

const SCRIPT = join(import.meta.dir, "read-forever.ts");

test.skipIf(!hasPostgres)(
  "processes that are killed while they read an account leave a whole list or none, and never read at once",
  async () => {
    using folder = createTemporaryFolder();
    await using postgres = await preparedPostgres();
    const { url, database } = postgres;
    await using house = await startAccounts({ databaseUrl: url });
    const names = Array.from({ length: NAMES }, (_, index) => `n${index}.example`);
    house.list(
      "A",
      names.map((name) => ({ name, expires: "2029-01-01" })),
    );
    const { id } = await house.add("A");
    await house.step();
    await house.post(id, "accept", { all: true, expectedCount: NAMES });
    const log = () => {
      const lines = readFileSync(join(folder.path, "log"), "utf8").trim().split("\n");
      return lines.map((line) => line.split(" "));
    };
    await Bun.write(join(folder.path, "log"), "");
    const makeDue = () =>
      database.write(
        (sql) => sql`update registrar_accounts set due_at = '2020-01-01T00:00:00.000Z'
            where run is null`,
      );
    const start = async () => {
      const command = [process.execPath, SCRIPT, url, folder.path, `${NAMES}`];
      const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
      await child.stdout.getReader().read();
      return child;
    };
    const children = await Promise.all([start(), start()]);
    const killed: number[] = [];
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const until = performance.now() + 100 * Math.random();
        do {
          await makeDue();
          await Bun.sleep(2);
        } while (performance.now() < until || log().length < 2 * kill + 2);
        const reader = Number(log().at(-1)?.[1]);
        const victim = children.findIndex(({ pid }) => pid === reader);
        const child = children[Math.max(victim, 0)];
        child?.kill("SIGKILL");
        await child?.exited;
        killed.push(child?.pid ?? 0);
        const last = Number(log().findLast(([what]) => what === "start")?.[1]);
        // Its lease would end by itself in minutes.
        if (last === child?.pid) {
          await database.write((sql) => sql`update registrar_accounts set leased_until = null`);
        }
        const days = await database.read(
          (sql) => sql<{ expires: string; told: string }[]>`
              select distinct d.expires_on as expires, n.told from domains d
              join account_names n on n.name = d.name`,
        );
        expect(days).toHaveLength(1);
        expect(JSON.parse(days[0]?.told ?? "").expires).toBe(days[0]?.expires);
        if (kill + 1 < KILLS) children[Math.max(victim, 0)] = await start();
      }
      // The one that is left goes on, with what the other one had.
      for (const before = log().length; log().length < before + 2; await Bun.sleep(2)) {
        await makeDue();
      }
    } finally {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(children.map(({ exited }) => exited));
    }
    let open: string | undefined;
    for (const [what, pid = ""] of log()) {
      const isOpen = open !== undefined && !killed.includes(Number(open));
      if (what === "start") expect(isOpen).toBe(false);
      open = what === "start" ? pid : undefined;
    }
  },
  180_000 + 10_000 * KILLS,
);
