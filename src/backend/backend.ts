import { dirname, join, resolve } from "node:path";
import { createAttempts } from "./auth/attempts.ts";
import { createOwner } from "./auth/owner.ts";
import { createPasswords } from "./auth/password.ts";
import { keepSetting, randomToken } from "./auth/secrets.ts";
import { createSessions } from "./auth/sessions.ts";
import { createXsrf } from "./auth/xsrf.ts";
import { answerRequest } from "./answer-request.ts";
import type { Api } from "../shared/api.ts";
import type { Database } from "./database/database.ts";
import { explainOpening } from "./database/database-error.ts";
import { keepHouse } from "./housekeeping.ts";
import { finishImports } from "./import/finish-imports.ts";
import { sweepImports } from "./import/sweep-imports.ts";
import { migrate } from "./database/migrate.ts";
import { openDatabase } from "./database/open-database.ts";
import type { Patience } from "./database/postgres-database.ts";
import type { House } from "./routes.ts";
import { databaseFile } from "./database/sqlite-database.ts";
import { createUploadFiles } from "./uploads/upload-files.ts";
import { sweepUploads } from "./uploads/uploads.ts";

export interface BackendOptions {
  /**
   * `sqlite://<file>`, made with its folder where it is missing, or `postgres://…`, which any number
   * of instances may share.
   */
  databaseUrl: string;
  /**
   * Where uploads are kept for a day; `uploads` beside an SQLite file unless given, `data/uploads`
   * for Postgres. Instances that share a database have to share this folder too.
   */
  uploadDirectory?: string;
  /** How long to wait for Postgres: 5 s for what is read, 20 s for what is written, unless given. */
  patience?: Patience;
  /** What the owner has to know; random unless given. */
  setupCode: string | null;
  /** Bytes that the body of an upload may have. */
  maxUploadBytes: number;
}

/** The embedded backend; `setUpCode` is what to print while nobody owns the register, else null. */
export type Backend = Api & { setUpCode: string | null };

/**
 * Opens the database, brings its schema up to date, and answers `/api/` from then on.
 *
 * @throws {DatabaseError} With one line for the operator, when database or folder cannot be used.
 */
export async function createBackend(options: BackendOptions): Promise<Backend> {
  const { databaseUrl, setupCode, maxUploadBytes } = options;
  const database = await openDatabase(databaseUrl, options.patience);
  try {
    const files = createUploadFiles(options.uploadDirectory ?? uploadsBeside(databaseUrl));
    await migrate(database);
    // Before anybody reads; the next round of the chores tries again.
    await finishImports(database).catch((error: unknown) => {
      console.error("An import that was cut off could not be finished:", error);
    });
    const access = await createAccess(database, setupCode);
    return open({ database, access, files, maxUploadBytes });
  } catch (error) {
    await database.close();
    throw explainOpening(database.place, error);
  }
}

function uploadsBeside(databaseUrl: string): string {
  const sqlite = /^sqlite:/i.test(databaseUrl);
  return sqlite ? join(dirname(databaseFile(databaseUrl)), "uploads") : resolve("data", "uploads");
}

async function createAccess(
  database: Database,
  setupCode: string | null,
): Promise<House["access"]> {
  const secret = await database.write((sql) => keepSetting(sql, "xsrf secret", randomToken));
  return {
    sessions: createSessions(database),
    owner: await createOwner(database, setupCode),
    passwords: createPasswords(),
    attempts: createAttempts(),
    xsrf: createXsrf(secret),
  };
}

function open(house: House): Backend {
  const { database, access, files } = house;
  const housekeeping = keepHouse([
    access.sessions.sweep,
    () => sweepImports(database, files),
    () => sweepUploads(database, files),
    () => finishImports(database),
  ]);

  return {
    setUpCode: access.owner.setUpCode,
    fetch: (request, peer) => answerRequest(house, request, peer),
    ready: () =>
      database
        .read((sql) => sql`select 1`)
        .then(() => true)
        .catch(() => false),
    async close() {
      await housekeeping.stop();
      await database.close();
    },
  };
}
