import { startBackend } from "./backend-server.ts";
import { onSqlite as sqliteOnly, test as both } from "./both-databases.ts";
import { testWith } from "./test-with.ts";

/** A visitor who owns a register and is signed in, and the backend that is there for one test alone. */
async function startOwner() {
  const server = await startBackend();
  const end = () => server[Symbol.asyncDispose]();
  return Object.assign(await server.owner(), { server, [Symbol.asyncDispose]: end });
}

/** Bun's `test`, which also gives a test that takes an argument a backend with its owner. */
export const once = testWith(startOwner);

/** The same, run once on SQLite and once on Postgres. */
export const test = Object.assign(testWith(startOwner, both), { each: both.each });

/** The same of `onSqlite`. */
export const onSqlite = testWith(startOwner, sqliteOnly);
