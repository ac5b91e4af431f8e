import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../../../src/backend/database/open-database.ts";
import { migrate } from "../../../src/backend/database/migrate.ts";
import { startMailServer } from "../../support/mail-server.ts";
import { hasPostgres, preparedPostgres } from "../../support/postgres.ts";
import { createTemporaryFolder } from "../../support/temporary-folder.ts";
import {
  addWaiting,
  readDeliveries,
  runUntil,
  spawnReminders,
  startReceiver,
} from "./simulate-kills.ts";

describe("processes that are killed while they send", () => {
  test.skipIf(!hasPostgres)(
    "make each message once, and send it again with its id at most as often as they were killed",
    async () => {
      await using postgres = await preparedPostgres();
      await using receiver = startReceiver(2);
      const database = await openDatabase(postgres.url);
      await addWaiting(database, { kind: "webhook", target: receiver.url, count: 40 });
      const first = spawnReminders(2, postgres.url);
      await runUntil(first, database, () => receiver.counts.size >= 10);
      const left = (await readDeliveries(database)).filter(({ state }) => state === "pending");
      const before = new Map(receiver.counts);
      const interrupted = left.filter(({ id }) => before.has(id));
      expect(left).not.toHaveLength(0);
      expect(interrupted.length).toBeLessThanOrEqual(first.length);
      await runUntil(spawnReminders(2, postgres.url), database, async () =>
        (await readDeliveries(database)).every(({ state }) => state === "sent"),
      );
      const deliveries = await readDeliveries(database);
      await database.close();
      expect(deliveries.filter(({ key }) => key.startsWith("daily:"))).toHaveLength(1);
      expect(new Set(receiver.counts.keys())).toEqual(new Set(deliveries.map(({ id }) => id)));
      for (const [id, count] of receiver.counts) {
        expect(count).toBe(interrupted.some((each) => each.id === id) ? 2 : 1);
      }
    },
  );

  test("send a mail again with its Message-ID when they die between the server's 250 and their commit", async () => {
    using folder = createTemporaryFolder();
    const databaseUrl = `sqlite://${join(folder.path, "register.sqlite")}`;
    const database = await openDatabase(databaseUrl);
    await migrate(database);
    let child: Bun.Subprocess | undefined;
    await using server = await startMailServer({
      atDot(tries) {
        // It stands still while the 250 is on its way, and is killed before it reads it.
        if (tries === 1) child?.kill("SIGSTOP");
        return 250;
      },
    });
    await addWaiting(database, { kind: "mail", target: "ada@example.com", count: 0 });
    const mail = { smtpUrl: `smtp://localhost:${server.port}/?tls=off`, mailFrom: "x@example.com" };
    const spawn = () => {
      const children = spawnReminders(1, databaseUrl, mail);
      [child] = children;
      return children;
    };
    const first = spawn();
    await runUntil(first, database, async () => {
      if (server.received.length === 0) return false;
      await Bun.sleep(50);
      return true;
    });
    expect(await readDeliveries(database)).toMatchObject([{ state: "pending" }]);
    await runUntil(spawn(), database, async () => {
      return (await readDeliveries(database))[0]?.state === "sent";
    });
    await database.close();
    const ids = server.received.map(({ raw }) => /^Message-ID: (.+)$/m.exec(raw)?.[1]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});
