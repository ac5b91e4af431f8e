import { Database as SqliteFile } from "bun:sqlite";
import { join } from "node:path";
import { createOwner } from "../../src/backend/auth/sign-in.ts";
import {
  createPasswords,
  type PasswordCost,
  type Passwords,
} from "../../src/backend/auth/people/passwords.ts";
import { addSession } from "../../src/backend/auth/session/sessions.ts";
import { type Peer, cookieNameAt } from "../../src/shared/api.ts";
import { createBackend, type Backend, type BackendOptions } from "../../src/backend/backend.ts";
import { migrate } from "../../src/backend/database/migrate.ts";
import type { Database } from "../../src/backend/database/database.ts";
import { openDatabase } from "../../src/backend/database/open-database.ts";
import { createApiClient, OWNER } from "./api-client.ts";
import { databaseKind } from "./both-databases.ts";
import { createContractCheck } from "./contract.ts";
import { preparedPostgres } from "./postgres.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export type BackendServer = Awaited<ReturnType<typeof startBackend>>;

/** A register of SQLite, or the statements that fill one of Postgres. */
type RegisterCopy = Uint8Array | string;

/** On Postgres, requests alternate between so many backends, each with connections of its own. */
const INSTANCES = Number(process.env["TEST_INSTANCES"] ?? 1);

/** The least that argon2id allows here: no test is about how long a password takes. */
const CHEAP: PasswordCost = { memoryCost: 8, timeCost: 1 };

export const SET_UP_CODE = "let me in";

/**
 * Starts the real backend on a real socket, over a folder and a database of its own, of the kind that the
 * test is for; `peer` replaces what the listener would say
 * about the client, and the register begins as the one that `like` is a copy of.
 */
export async function startBackend(
  options: Partial<BackendOptions> & {
    peer?: Partial<Peer>;
    instances?: number;
    like?: RegisterCopy;
  } = {},
) {
  const { peer, instances = INSTANCES, like, ...overrides } = options;
  const folder = createTemporaryFolder();
  const postgres = databaseKind() === "postgres" ? await preparedPostgres() : null;
  const data = join(folder.path, "data");
  const file = join(data, "register.sqlite");
  const ownUrl = postgres?.url ?? `sqlite://${file}`;
  if (postgres === null && options.databaseUrl === undefined) {
    await Bun.write(file, like ?? (await (migrated ??= migrateOnce())));
  }
  if (typeof like === "string") await postgres?.database.write((sql) => sql.unsafe(like));
  const databaseUrl = options.databaseUrl ?? ownUrl;
  const isLent = postgres !== null && databaseUrl === ownUrl && options.timeouts === undefined;
  const create = () =>
    createBackend({
      ...(isLent && { open: postgres.open }),
      setupCode: SET_UP_CODE,
      maxUploadBytes: 1_000_000,
      passwordCost: CHEAP,
      ...overrides,
      databaseUrl,
    });
  const backends: Backend[] = [];
  const backend = await create().catch((error: unknown) => {
    folder[Symbol.dispose]();
    throw error;
  });
  backends.push(backend);
  const count = databaseUrl.startsWith("postgres:") ? instances : 1;
  while (backends.length < count) backends.push(await create());
  let requests = 0;
  // One stays open until the end, that of Postgres from test to test: SQLite reads its whole schema
  // for each connection, which takes longer than most tests.
  let own: Promise<Database> | null = null;
  const openOwn = async (): Promise<Database> => {
    const isShared = postgres !== null && options.databaseUrl === undefined;
    const database = isShared ? postgres.database : await (own ??= openDatabase(databaseUrl));
    return { ...database, close: async () => undefined };
  };
  const checkContract = createContractCheck(backend.routes);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    maxRequestBodySize: 1024 ** 3,
    async fetch(request) {
      const address = "127.0.0.1";
      const about = { address, remoteAddress: address, secure: false, ...peer };
      const answering = backends[(requests += 1) % backends.length] ?? backend;
      const response = await answering.fetch(request, about);
      await checkContract(request, response);
      return response;
    },
  });

  const read: Database["read"] = async (work) => (await openOwn()).read(work);
  const write: Database["write"] = async (work) => (await openOwn()).write(work);
  return {
    /** The first, where there are several instances. */
    backend,
    url: server.url,
    folder: folder.path,
    databaseUrl,
    /** The database past the backend, which is open until the end; to close it does nothing. */
    openDatabase: openOwn,
    read,
    write,
    /** All that is in the register, for others that begin with it. */
    async copy(): Promise<RegisterCopy> {
      if (postgres !== null) return postgres.dump();
      using register = new SqliteFile(file);
      return register.serialize();
    },
    /** Another visitor, with an empty cookie jar. */
    visitor: () => createApiClient(server.url),
    /** A visitor who owns the register and is signed in. */
    async owner() {
      const client = createApiClient(server.url);
      client.cookies.set(
        cookieNameAt(peer?.basePath ?? "", "freehold-session"),
        await startSession(await openOwn()),
      );
      await client.request("/api/token");
      return client;
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      for (const each of backends) await each.close();
      await (await own)?.close();
      await postgres?.[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

export async function countRows(
  { read }: Pick<BackendServer, "read">,
  table: string,
): Promise<number> {
  return (await read((sql) => sql<unknown[]>`select 1 from ${sql(table)}`)).length;
}

/** An empty register of SQLite: to write its bytes takes less than its migrations. */
let migrated: Promise<Uint8Array> | null = null;

async function migrateOnce(): Promise<Uint8Array> {
  using folder = createTemporaryFolder();
  const file = join(folder.path, "register.sqlite");
  const database = await openDatabase(`sqlite://${file}`);
  await migrate(database);
  await database.close();
  // Read before the folder goes.
  return await Bun.file(file).bytes();
}

let passwordHash: ReturnType<Passwords["hash"]> | null = null;

/** Makes the owner and a session past the form: a password takes longer to hash than most tests. */
async function startSession(database: Database): Promise<string> {
  passwordHash ??= createPasswords(CHEAP).hash(OWNER.password);
  const owner = await createOwner(database, SET_UP_CODE);
  const user = await owner.create(OWNER.email, await passwordHash, null);
  if (user === null) throw new Error("The register has its owner already");
  const client = { address: "127.0.0.1", user_agent: "" };
  const sessionId = await database.write((sql) => addSession(sql, user, client, null));
  if (sessionId === null) throw new Error("The owner's password has changed");
  return sessionId;
}
