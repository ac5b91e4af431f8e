import { createQueue } from "../../database/event-loop.ts";
import { badFields, tryLater } from "../../http/request-error.ts";

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
  const turn = createQueue();
  let waiting = 0;

  function refuseFlood(): void {
    if (waiting <= MAX_WAITING) return;
    throw tryLater(503, "Too many people are signing in right now. Try again in a moment.", 1);
  }

  async function queue<T>(work: () => Promise<T>): Promise<T> {
    refuseFlood();
    waiting += 1;
    return turn(work).finally(() => (waiting -= 1));
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

/** Words of most leaked passwords: those of 12 characters are one or two and some digits. */
const COMMON_WORDS =
  `password passwort motdepasse contrasena contraseña wachtwoord senha parola haslo passw0rd
  administrator admin root user login logon signin welcome willkommen bienvenue hello hallo letmein
  changeme change secret geheim access master default temp test demo guest server computer internet
  domain domains domainname freehold website hosting registrar example company office business
  iloveyou ilove loveyou lovely love forever baby angel princess sunshine beautiful friends family
  dragon monkey shadow killer superman batman spiderman pokemon starwars matrix trustno pussycat
  football baseball basketball soccer hockey liverpool chelsea arsenal barcelona juventus bayern
  michael jordan jennifer jessica ashley daniel thomas charlie andrew robert george matthew alexander
  christopher elizabeth michelle nicole samantha hunter buster ginger pepper cookie chocolate banana
  orange flower butterfly purple summer winter spring autumn sommer january february march april
  june july august september october november december monday tuesday wednesday thursday friday
  saturday sunday unbelievable whatever nothing something onetwothree google facebook samsung apple
  iphone android microsoft windows mercedes ferrari porsche mustang metallica blink 4ever
  qwerty azerty qwertz the my and is new mein ist you`.split(/\s+/);

const DISGUISES: Readonly<Record<string, string>> = {
  a: "[a4@]",
  e: "[e3€]",
  i: "[i1!|]",
  l: "[l1|]",
  o: "[o0]",
  s: "[s5$]",
  t: "[t7+]",
};

const WORDS = new RegExp(
  COMMON_WORDS.toSorted((one, other) => other.length - one.length)
    .map((word) => word.replace(/[aeilost]/g, (letter) => DISGUISES[letter] ?? letter))
    .join("|"),
  "g",
);

/** Letters, digits and keys in a row, forwards and backwards. */
const SEQUENCES = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiop[]",
  "qwertzuiopü",
  "azertyuiop",
  "asdfghjkl;",
  "zxcvbnm,./",
  "1q2w3e4r5t6y7u8i9o0p",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "!@#$%^&*()",
  '!"§$%&/()=',
]
  .flatMap((row) => [row, [...row].toReversed().join("")])
  .join(" ");

const MIN_SEQUENCE = 3;

/** Characters that have to be left without words, names, years, sequences and repetitions. */
const MIN_LEFT = 6;

function withoutSequences(text: string): string {
  let left = "";
  for (let at = 0; at < text.length;) {
    let length = 1;
    while (at + length < text.length && SEQUENCES.includes(text.slice(at, at + length + 1))) {
      length += 1;
    }
    if (length < MIN_SEQUENCE) left += text.slice(at, at + length);
    at += length;
  }
  return left;
}

/**
 * Refuses a password of which little is left without common words, sequences, repetitions and the e-mail
 * address. A list of leaked passwords would be megabytes, and hardly any has 12 characters.
 */
export function refuseGuessable(password: string, email: string, pointer: string): void {
  const own = email.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const folded = password.normalize("NFKC").toLowerCase();
  const unnamed = own.reduce((rest, name) => rest.replaceAll(name, ""), folded);
  const left = withoutSequences(unnamed.replace(WORDS, "").replace(/(?:19|20)\d\d/g, ""));
  if ([...left.replace(/(.{1,8}?)\1+/gu, "$1")].length >= MIN_LEFT) return;
  const detail = `This password is too easy to guess. Add ${MIN_LEFT} characters that are not a common word, a year, a row of keys or part of your e-mail address.`;
  throw badFields([{ pointer, code: "guessable", detail }]);
}
