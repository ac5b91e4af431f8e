/** argon2id as OWASP's password storage cheat sheet has it: 19 MiB, two passes. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Work that waits while another hash is made; at some 30 ms each, half a second. */
const MAX_WAITING = 16;

/** The hash of a password that nobody has, with the same parameters: unknown users cost as much. */
const DUMMY =
  "$argon2id$v=19$m=19456,t=2,p=1$tIIOUKNUopT1vmBX0/0CTIKhJxQQVQM4jWY0y2GBKZg$oJH5bszKWhPZIwPms1iTvSErXpNTmaM0jb0Er9musmA";

export const PASSWORD_LENGTH = { min: 12, max: 256 };

/** What to answer instead, when too many are waiting already. */
export type Busy = "busy";

export interface Passwords {
  hash(password: string): Promise<string | Busy>;
  /** Without a hash it takes as long, and is false. */
  verify(password: string, hash: string | null): Promise<boolean | Busy>;
}

/**
 * Hashes and verifies one password at a time, so that a flood of attempts can take neither the
 * memory nor the processors. Passwords are compared in composed form (NFC).
 */
export function createPasswords(): Passwords {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T | Busy> {
    if (waiting > MAX_WAITING) return "busy";
    waiting += 1;
    const result = last.then(work).finally(() => (waiting -= 1));
    last = result.catch(() => undefined);
    return result;
  }

  return {
    hash: (password) => inTurn(() => Bun.password.hash(password.normalize("NFC"), ARGON2ID)),
    verify: (password, hash) =>
      inTurn(async () => {
        const same = await Bun.password.verify(password.normalize("NFC"), hash ?? DUMMY);
        return same && hash !== null;
      }),
  };
}
