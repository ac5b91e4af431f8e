import { migrate } from "../../src/backend/database/migrate.ts";
import { openDatabase } from "../../src/backend/database/database.ts";
import type { DomainPage } from "../../src/shared/domain.ts";
import type { ApiClient } from "../support/api-client.ts";
import { fillRegister } from "../support/fill-register.ts";
import { previewOf, sendCommit, undoImport } from "../support/import-client.ts";
import { importTable } from "../support/import-table.ts";
import { emptyPostgres } from "../support/postgres.ts";
import { median } from "./process-cost.ts";
import { startBackend } from "./start-backend.ts";

/**
 * Two instances on one Postgres against one: `bun run bench:instances [names] [rounds]`. Lists, edits
 * and imports go on at the same time, each request to the next instance; the two take turns.
 */
const [names = 20_000, rounds = 2] = process.argv.slice(2).map(Number);
const SECONDS = 12;
const IMPORT_ROWS = 1000;

/** How many do each at a time. */
const LANES = { list: 12, edit: 4, import: 1 };

type Kind = keyof typeof LANES;
const KINDS = ["list", "edit", "import"] as const;

interface Figures {
  perSecond: number;
  p99: number;
}

await using postgres = await emptyPostgres();
const url = postgres.url.replace("?max=3", "");
const database = await openDatabase(url);
await migrate(database);
await fillRegister(database, names);
await database.close();

/** Runs all lanes for a while; every lane takes the instances in turn. */
async function measure(clients: readonly ApiClient[]): Promise<Record<Kind, Figures>> {
  const [first] = clients;
  if (first === undefined) throw new Error("No instance has started");
  const { items }: DomainPage = await (await first.request("/api/domains?limit=200")).json();
  const times: Record<Kind, number[]> = { list: [], edit: [], import: [] };
  const endsAt = performance.now() + SECONDS * 1000;
  let turn = 0;
  const next = () => clients[(turn += 1) % clients.length] ?? first;
  const work: Record<Kind, (lane: number, round: number) => Promise<unknown>> = {
    list: (lane, round) => next().json(`/api/domains?sort=expires&offset=${100 * (lane + round)}`),
    async edit(lane, round) {
      const id = items[(lane * 50 + (round % 50)) % items.length]?.id;
      const options = { json: { notes: `${round}` }, headers: { "If-Match": "*" } };
      const response = await next().request(`/api/domains/${id}`, { method: "PATCH", ...options });
      if (!response.ok) throw new Error(`An edit got ${response.status}`);
    },
    async import() {
      const { id } = await previewOf(next(), importTable(IMPORT_ROWS));
      await sendCommit(next(), id);
      await undoImport(next(), id);
    },
  };
  const run = async (kind: Kind, lane: number) => {
    for (let round = 0; performance.now() < endsAt; round += 1) {
      const start = performance.now();
      await work[kind](lane, round);
      times[kind].push(performance.now() - start);
    }
  };
  await Promise.all(
    KINDS.flatMap((kind) => Array.from({ length: LANES[kind] }, (_, lane) => run(kind, lane))),
  );
  const figures = (kind: Kind): Figures => {
    const sorted = times[kind].toSorted((one, other) => one - other);
    const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
    return { perSecond: sorted.length / SECONDS, p99 };
  };
  return { list: figures("list"), edit: figures("edit"), import: figures("import") };
}

await using one = await startBackend(url);
await using other = await startBackend(url);
const clients = [one.client, other.client];
await one.client.setUp("let me in");
await other.client.signIn();
const found: Record<number, Record<Kind, Figures>[]> = { 1: [], 2: [] };
for (let round = 0; round < rounds; round += 1) {
  for (const count of [1, 2]) found[count]?.push(await measure(clients.slice(0, count)));
}
console.log(
  `| ${names} names, ${LANES.list} list, ${LANES.edit} edit, 1 imports ${IMPORT_ROWS} rows | one: per second | p99 ms | two: per second | p99 ms |`,
);
console.log("| --- | --: | --: | --: | --: |");
for (const kind of KINDS) {
  const cells = [1, 2].flatMap((count) =>
    (["perSecond", "p99"] as const).map((figure) =>
      median((found[count] ?? []).map((each) => each[kind][figure])).toFixed(1),
    ),
  );
  console.log(`| ${kind} | ${cells.join(" | ")} |`);
}
