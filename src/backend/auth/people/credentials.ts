import {
  described,
  exactObject,
  isRecord,
  optional,
  refuse,
  schemaOf,
  type Parsed,
  type Parser,
} from "../../../shared/parse.ts";
import { PASSWORD_LENGTH } from "../../../shared/session.ts";
import { parseEmail, parsePersonName } from "../../../shared/people.ts";
import { parseTotpCode, parsePasskeySignIn } from "../../../shared/factors.ts";
import { limitedText } from "../../../shared/text.ts";

const MAX_CODE_LENGTH = 200;

/** Only a new password has to have the least length. */
export const parseSignIn = exactObject({ email: parseEmail, password: passwordParser(1) });
/** To create the owner; the code is printed where the server was started. */
const parseSetUp = exactObject({
  email: parseEmail,
  password: passwordParser(PASSWORD_LENGTH.min),
  setUpCode: secretParser(MAX_CODE_LENGTH),
});

/** Takes the code of an invitation, which `name` is for, of a password link or of `owner reset`. */
export type AcceptedLink = Parsed<typeof parseAcceptedLink>;
export const parseAcceptedLink = exactObject({
  code: secretParser(MAX_CODE_LENGTH),
  email: parseEmail,
  password: passwordParser(PASSWORD_LENGTH.min),
  name: optional(parsePersonName),
});
export const parseProof = exactObject({ password: passwordParser(1) });
export const parsePasswordChange = exactObject({
  current: passwordParser(1),
  next: passwordParser(PASSWORD_LENGTH.min),
});

export const parseCredentials = described(
  (
    value,
  ): Parsed<
    typeof parseSignIn | typeof parseSetUp | typeof parseTotpCode | typeof parsePasskeySignIn
  > => {
    const has = (member: string) => isRecord(value) && Object.hasOwn(value, member);
    if (has("code")) return parseTotpCode(value);
    if (has("passkey")) return parsePasskeySignIn(value);
    return has("setUpCode") ? parseSetUp(value) : parseSignIn(value);
  },
  () => ({ anyOf: [parseSignIn, parseSetUp, parseTotpCode, parsePasskeySignIn].map(schemaOf) }),
);

function passwordParser(min: number): Parser<string> {
  const { max } = PASSWORD_LENGTH;
  const read = secretParser(max);
  return described(
    (value) => {
      const given = read(value);
      if ([...given.normalize("NFC")].length >= min) return given;
      const detail = min === 1 ? "Enter your password." : `Use at least ${min} characters.`;
      return refuse("length", detail);
    },
    () => ({ type: "string", minLength: min, maxLength: max }),
  );
}

/** A text whose value is in no message: it must not come back in a response or end up in a log. */
function secretParser(max: number): Parser<string> {
  const read = limitedText({ max });
  return described(
    (value) => (typeof value === "string" ? read(value) : refuse("type", "Expected a string")),
    () => schemaOf(read),
  );
}
