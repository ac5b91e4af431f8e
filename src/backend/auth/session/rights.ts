import type { SQL } from "bun";
import { rightsOf } from "../../../shared/session.ts";
import { type Database, type Job, runAfter } from "../../database/database.ts";
import type { Guard } from "../../http/answer-request.ts";
import { LostRightError, notSignedIn, proofNeeded } from "../../http/request-error.ts";
import type { UserAccount } from "../../http/route.ts";
import { findToken } from "./api-tokens.ts";
import { findSession } from "./sessions.ts";
import { findUser, lockUsers } from "./users.ts";

/** What a request was let in by. It crosses to the thread in which jobs write. */
interface Right {
  by: keyof typeof FIND;
  /** The session's id, the token's, or the address that the proxy gives. */
  key: string;
  user: Pick<UserAccount, "id" | "role">;
  needsProof: boolean;
}

const FIND = {
  session: findSession,
  token: findToken,
  async header(sql: SQL, email: string) {
    const user = await findUser(sql, sql`email = ${email} and disabled = 0`);
    return user && { user, isProved: true };
  },
};

/** @throws {LostRightError} If session, token, account or proof ended, or the role has less. */
async function judge(sql: SQL, { by, key, user, needsProof }: Right): Promise<void> {
  const found = await FIND[by](sql, key);
  if (found?.user.id !== user.id) throw notSignedIn();
  const rights = rightsOf(found.user.role);
  if (!rightsOf(user.role).every((right) => rights.includes(right)))
    throw new LostRightError(403, "Your role has changed. Reload the page.");
  if (needsProof && !found.isProved) throw proofNeeded();
}

export const useRight: Job<Right, void> = {
  name: "use a right",
  async run(sql, right) {
    // What gives power takes turns with what ends it, so that none is given by a person who is removed.
    if (right.needsProof) await lockUsers(sql);
    await judge(sql, right);
  },
};

/** Judges the sender after a body, and first in each transaction that a handler writes in. */
export const judgeAgain: Guard["admit"] = ({ database, user, session, peer }, { role, access }) => {
  if (user === null) return { database, judge: async () => {} };
  const { id, email, token } = user;
  const by = token !== null ? "token" : peer.proxyUser === undefined ? "session" : "header";
  const key = { token: token?.id, session: session.id, header: email }[by] ?? "";
  const right = { by, key, user: { id, role: user.role }, needsProof: access === "proof" } as const;
  const judged: Database = {
    ...database,
    write: (work) =>
      database.write(async (sql) => {
        await useRight.run(sql, right);
        return work(sql);
      }),
    writeMany: (job, input) => database.writeMany(runAfter(useRight, right, job), input),
  };
  return {
    judge: (sql) => judge(sql, right),
    database: role === "public" ? database : judged,
  };
};
