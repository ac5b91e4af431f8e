import { tryLater } from "../../http/request-error.ts";

export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
}

/** 19 MiB and two passes, as in OWASP's password storage cheat sheet. */
const OWASP_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

/** Passwords that wait while another is hashed; at some 30 ms each, half a second. */
const MAX_WAITING = 16;

/** A hash that no password has, of the default cost, so that unknown users cost as much. */
const DUMMY =
  "$argon2id$v=19$m=19456,t=2,p=1$tIIOUKNUopT1vmBX0/0CTIKhJxQQVQM4jWY0y2GBKZg$oJH5bszKWhPZIwPms1iTvSErXpNTmaM0jb0Er9musmA";

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * Handles one password at a time, composed (NFC), so that a flood takes neither all memory nor all
 * processors. Throws a 503 `RequestError` when too many wait.
 */
export function createPasswords(cost = OWASP_COST) {
  const parameters = { algorithm: "argon2id", ...cost } as const;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  function refuseFlood(): void {
    if (waiting <= MAX_WAITING) return;
    throw tryLater(503, "Too many people are signing in right now. Try again in a moment.", 1);
  }

  async function queue<T>(work: () => Promise<T>): Promise<T> {
    refuseFlood();
    waiting += 1;
    const result = last.then(work).finally(() => (waiting -= 1));
    last = result.catch(() => undefined);
    return result;
  }

  return {
    /** Throws the 503 before anything else is done for an attempt that would get it in the end. */
    refuseFlood,
    hash: (password: string) =>
      queue(() => Bun.password.hash(password.normalize("NFC"), parameters)),
    /** Without a hash it takes as long, and is false. */
    verify: (password: string, hash: string | null) =>
      queue(async () => {
        const same = await Bun.password.verify(password.normalize("NFC"), hash ?? DUMMY);
        return same && hash !== null;
      }),
  };
}
