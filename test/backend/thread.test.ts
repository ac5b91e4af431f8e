import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "bun:test";
import { migrate } from "../../src/backend/database/migrate.ts";
import { createApiClient } from "../support/api-client.ts";
import { startBackend } from "../support/backend-server.ts";
import { onSqlite } from "../support/both-databases.ts";
import { PREPARE, type FilledRegister } from "../support/every-request.ts";
import { CREDENTIALS_KEY, fillAccounts } from "../support/fill-accounts.ts";
import { fillRegister } from "../support/fill-register.ts";
import { startServer, type ServerProcess } from "../support/server-process.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { openDatabase } from "../../src/backend/database/open-database.ts";

const NAMES = Number(process.env["TEST_NAMES"] ?? 20_000);
const CODE = "let-me-in";
/** A turn may also meet what the machine, or the collection of garbage, does at that moment. */
const TRIES = 4;
const TIMEOUT = 600_000;

/** The longest turn of the server's event loop since the last call, in milliseconds; `yardstick`: its own. */
async function readWatch(server: ServerProcess, what = ""): Promise<number> {
  const [, url = ""] = /Watched at (\S+)/.exec(server.output()) ?? [];
  return (await fetch(url + what)).json();
}

/** A register as a company has it, in a file. */
async function fill(databaseUrl: string): Promise<void> {
  const database = await openDatabase(databaseUrl);
  await migrate(database);
  await fillRegister(database, NAMES);
  await database.close();
  await using server = await startServer({ DATABASE_URL: databaseUrl, SETUP_CODE: CODE });
  await createApiClient(server.url).setUp(CODE);
  await server.stop();
  const again = await openDatabase(databaseUrl);
  await fillAccounts(again, { accounts: 12, people: 20 });
  await again.close();
}

/** Sends every request to a server of a copy of `file`; the longest turn of each, in yardsticks. */
async function measure(file: string, names: readonly string[]): Promise<Map<string, number>> {
  const copy = `${file}.${crypto.randomUUID()}`;
  await copyFile(file, copy);
  const url = `sqlite://${copy}`;
  const watch = join(import.meta.dir, "../support/watch-thread.ts");
  await using server = await startServer({
    DATABASE_URL: url,
    CREDENTIALS_KEY,
    OUTBOUND_ALLOW: "127.0.0.1/32",
    BUN_OPTIONS: `--preload ${watch}`,
  });
  const owner = createApiClient(server.url);
  await owner.signIn();
  const register: FilledRegister = {
    url: new URL(server.url),
    openDatabase: () => openDatabase(url),
    visitor: () => createApiClient(server.url),
    owner,
    names: NAMES,
  };
  const found = new Map<string, number>();
  let yardstick = await readWatch(server, "yardstick");
  for (const name of names) {
    const statuses = new Set<number>();
    for (let tries = 0; tries < TRIES && (found.get(name) ?? Infinity) > 1; tries += 1) {
      const {
        path,
        client = owner,
        ...request
      } = (await PREPARE[name]?.(register)) ?? {
        path: "",
      };
      const [method = ""] = name.split(" ");
      const response = await client.request(path, { method, ...request });
      await response.arrayBuffer();
      const turn = await readWatch(server);
      const after = await readWatch(server, "yardstick");
      statuses.add(response.status);
      // Some do something once only, and then answer at once.
      if (statuses.size > 1) break;
      expect([name, response.status < 500]).toEqual([name, true]);
      // The machine may have become slower or faster meanwhile.
      const turns = turn / ((yardstick + after) / 2);
      found.set(name, Math.min(found.get(name) ?? Infinity, turns));
      yardstick = after;
    }
  }
  return found;
}

describe("The thread that answers everybody", () => {
  // Postgres does its work elsewhere.
  onSqlite(
    "is kept by no request for longer than 20 ms",
    async () => {
      using folder = createTemporaryFolder();
      const file = join(folder.path, "register.sqlite");
      await fill(`sqlite://${file}`);
      const { backend, ...server } = await startBackend();
      await server[Symbol.asyncDispose]();
      const names = backend.routes.map(({ method, path }) => `${method} ${path}`);
      expect(names.toSorted()).toEqual(Object.keys(PREPARE).toSorted());
      const measured = Object.keys(PREPARE);
      const isLate = ([, turns]: [string, number]) => turns > 1;
      let late = [...(await measure(file, measured))].filter(isLate);
      if (late.length > 0) {
        const again = await measure(file, measured);
        late = late.map(([name]): [string, number] => [name, again.get(name) ?? 0]).filter(isLate);
      }
      expect(late).toEqual([]);
    },
    TIMEOUT,
  );
});
