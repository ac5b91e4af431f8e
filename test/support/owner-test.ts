import { test as bunTest } from "bun:test";
import type { ApiClient } from "./api-client.ts";
import { type BackendServer, startBackend } from "./backend-server.ts";
import { onSqlite as sqliteOnly, test as both } from "./both-databases.ts";

/** A visitor who owns a register and is signed in, and the backend that is there for this test alone. */
type Owner = ApiClient & { server: BackendServer };

type Bare = () => Promise<void> | void;
type Work = Bare | ((owner: Owner) => Promise<void> | void);

const isBare = (work: Work): work is Bare => work.length === 0;

/** Starts a backend for each test that takes its owner as an argument. */
function withOwner(register: (name: string, work: Bare, timeout?: number) => void) {
  return (name: string, work: Work, timeout?: number) => {
    const run = async () => {
      if (isBare(work)) return work();
      await using server = await startBackend();
      await work(Object.assign(await server.owner(), { server }));
    };
    register(name, run, timeout);
  };
}

/** Bun's `test`, which also gives a test a backend with its owner. */
export const once = withOwner(bunTest);

/** The same, run once on SQLite and once on Postgres. */
export const test = Object.assign(withOwner(both), { each: both.each });

/** The same of `onSqlite`. */
export const onSqlite = withOwner(sqliteOnly);
