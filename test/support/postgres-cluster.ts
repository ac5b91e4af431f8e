import { chownSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { createTemporaryFolder } from "./temporary-folder.ts";

/** A Postgres server of the tests' own, on a random port of loopback. */
export interface PostgresCluster {
  urlOf(database: string): string;
  /** Lets it die as by a crash, and starts it again; resolves when it answers. */
  crash(): Promise<void>;
  /** Ends it and removes its files. It ends by itself, too, with the process of the tests. */
  stop(): Promise<void>;
}

/** Holds the server, follows orders from its input, and cleans up when that ends. */
const KEEPER = `
trap '' INT HUP TERM
start() {
  "$1/postgres" -D "$2/data" -p "$3" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \
    -c fsync=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c autovacuum=off -c deadlock_timeout=50ms -c shared_buffers=128MB -c max_connections=300 >>"$2/log" 2>&1 </dev/null &
  server=$!
}
"$1/initdb" -D "$2/data" -U freehold --auth=trust --no-sync --no-instructions -E UTF8 \
  --locale=C.UTF-8 >"$2/log" 2>&1 || { cat "$2/log" >&2; exit 1; }
start "$@"
while read -r order; do
  kill -QUIT "$server"; wait "$server"; start "$@"
done
kill -INT "$server"; wait "$server"; rm -rf "$2"
`;

/** The folder of Postgres' programs: that of PATH, or Debian's newest; null where there is none. */
export function findPostgres(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const newest = versions.toSorted((one, other) => Number(other) - Number(one));
  const onPath = (process.env["PATH"] ?? "").split(":").filter((folder) => folder !== "");
  const folders = [...onPath, ...newest.map((version) => join(debian, version, "bin"))];
  const has = (folder: string, program: string) => existsSync(join(folder, program));
  return folders.find((folder) => has(folder, "postgres") && has(folder, "initdb")) ?? null;
}

/** Makes a cluster in a temporary folder and starts it, as user postgres where we are root. */
export async function startCluster(programs: string): Promise<PostgresCluster> {
  const { path } = createTemporaryFolder();
  const port = freePort();
  const user = process.getuid?.() === 0 ? accountOf("postgres") : null;
  if (user !== null) chownSync(path, user.uid, user.gid);
  const keeper = Bun.spawn(["sh", "-c", KEEPER, "sh", programs, path, String(port)], {
    stdin: "pipe",
    stdout: "inherit",
    stderr: "inherit",
    cwd: path,
    ...user,
  });
  keeper.unref();
  const urlOf = (database: string) => `postgres://freehold@127.0.0.1:${port}/${database}`;
  await answers(urlOf("postgres"));

  return {
    urlOf,
    async crash() {
      const before = await startedAt(urlOf("postgres"));
      keeper.stdin.write("restart\n");
      await keeper.stdin.flush();
      await answers(urlOf("postgres"), before);
    },
    async stop() {
      await keeper.stdin.end();
      await keeper.exited;
    },
  };
}

/** Waits until a server answers that was not started at the time given. */
async function answers(url: string, before: string | null = null): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const at = await startedAt(url).catch((error: unknown) => {
      if (Date.now() > deadline) throw error;
      return before;
    });
    if (at !== before) return;
    await Bun.sleep(20);
  }
}

async function startedAt(url: string): Promise<string> {
  const sql = new SQL(url, { max: 1, connectionTimeout: 2 });
  try {
    const [row] = await sql<{ at: string }[]>`
      select cast(pg_postmaster_start_time() as text) as at`;
    return row?.at ?? "";
  } finally {
    await sql.close({ timeout: 0 });
  }
}

export function accountOf(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(Bun.spawnSync(["id", flag, name]).stdout.toString());
  return { uid: id("-u"), gid: id("-g") };
}

export function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}
