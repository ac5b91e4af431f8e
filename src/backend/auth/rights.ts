import type { SQL } from "bun";
import { mayDo } from "../../shared/session.ts";
import { type Database, type Job, runAfter } from "../database/database.ts";
import { notSignedIn, proofNeeded, RequestError } from "../http/request-error.ts";
import type { UserAccount } from "../http/route.ts";
import { findToken } from "./api-tokens.ts";
import { findSession } from "./sessions.ts";
import { findUser, lockUsers } from "./users.ts";

/** What says who sends a request: the hash of a secret, or the address that a trusted proxy gives. */
export interface Credential {
  kind: "session" | "token" | "header";
  value: string;
}

/** What a request was let in by. It crosses to the thread in which jobs write. */
export interface Right {
  credential: Credential;
  user: Pick<UserAccount, "id" | "role">;
  needsProof: boolean;
}

/** Why a right has ended. Of an error in a thread only name and message come back. */
const REFUSALS = new Map([
  ["signed out", notSignedIn],
  ["demoted", () => new RequestError(403, "Your role was changed meanwhile. Load the page again.")],
  ["unproved", proofNeeded],
]);

class LostRightError extends Error {
  override readonly name = "LostRightError";
}

/** The refusal that an error of `judgeRight` means to the sender; any other error as it is. */
export function explainLostRight(error: unknown): unknown {
  const isLost = error instanceof Error && error.name === "LostRightError";
  return (isLost && REFUSALS.get(error.message)?.()) || error;
}

/**
 * Judges again what a request was let in by: its session or token, the account, the proof, and that the
 * role is still the one which the handler knows, or a higher one.
 *
 * @throws {LostRightError}
 */
export async function judgeRight(sql: SQL, { credential, user, needsProof }: Right): Promise<void> {
  const found = await FIND[credential.kind](sql, credential.value);
  if (found?.user.id !== user.id) throw new LostRightError("signed out");
  if (!mayDo(found.user.role, user.role)) throw new LostRightError("demoted");
  if (needsProof && !found.isProved) throw new LostRightError("unproved");
}

const FIND: Readonly<Record<Credential["kind"], typeof findSession>> = {
  session: findSession,
  token: findToken,
  async header(sql, email) {
    const user = await findUser(sql, sql`email = ${email} and disabled = 0`);
    return user && { user: { ...user, token: null }, isStale: false, isProved: true };
  },
};

/** The beginning of each transaction of a request that writes. */
export const useRight: Job<Right, void> = {
  name: "use a right",
  async run(sql, right) {
    // What gives power takes turns with what ends it, so that none is given by a person who is removed.
    if (right.needsProof) await lockUsers(sql);
    await judgeRight(sql, right);
  },
};

/** The database for the handler of a route, which writes only as long as the right holds. */
export function withRight(database: Database, right: Right): Database {
  return {
    ...database,
    write: (work) =>
      database.write(async (sql) => {
        await useRight.run(sql, right);
        return work(sql);
      }),
    writeMany: (job, input) => database.writeMany(runAfter(useRight, right, job), input),
  };
}
