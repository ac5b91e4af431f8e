import * as p from "../../../shared/parse.ts";
import { PASSWORD_LENGTH } from "../../../shared/session.ts";
import { parseEmail, parsePersonName } from "../../../shared/people.ts";
import { parseTotpCode, parsePasskeySignIn } from "../../../shared/factors.ts";
import { limitedText } from "../../../shared/text.ts";

const MAX_CODE_LENGTH = 200;

/** Only a new password has to have the least length. */
export const parseSignIn = p.exactObject({ email: parseEmail, password: passwordParser(1) });
/** To create the owner; the code is printed where the server was started. */
const parseSetUp = p.exactObject({
  email: parseEmail,
  password: passwordParser(PASSWORD_LENGTH.min),
  setUpCode: secretParser(MAX_CODE_LENGTH),
});

/** Takes the code of an invitation, which `name` is for, of a password link or of `owner reset`. */
export type AcceptedLink = p.Parsed<typeof parseAcceptedLink>;
export const parseAcceptedLink = p.exactObject({
  code: secretParser(MAX_CODE_LENGTH),
  email: parseEmail,
  password: passwordParser(PASSWORD_LENGTH.min),
  name: p.optional(parsePersonName),
});
export const parseProof = p.exactObject({ password: passwordParser(1) });
export const parsePasswordChange = p.exactObject({
  current: passwordParser(1),
  next: passwordParser(PASSWORD_LENGTH.min),
});

export const parseCredentials = p.described(
  (
    value,
  ): p.Parsed<
    typeof parseSignIn | typeof parseSetUp | typeof parseTotpCode | typeof parsePasskeySignIn
  > => {
    const has = (member: string) => p.isRecord(value) && Object.hasOwn(value, member);
    if (has("code")) return parseTotpCode(value);
    if (has("passkey")) return parsePasskeySignIn(value);
    return has("setUpCode") ? parseSetUp(value) : parseSignIn(value);
  },
  () => ({ anyOf: [parseSignIn, parseSetUp, parseTotpCode, parsePasskeySignIn].map(p.schemaOf) }),
);

function passwordParser(min: number): p.Parser<string> {
  const { max } = PASSWORD_LENGTH;
  const read = secretParser(max);
  return p.described(
    (value) => {
      const given = read(value);
      if ([...given.normalize("NFC")].length >= min) return given;
      const detail = min === 1 ? "Enter your password." : `Use at least ${min} characters.`;
      return p.refuse("length", detail);
    },
    () => ({ type: "string", minLength: min, maxLength: max }),
  );
}

/** A text whose value is in no message: it must not come back in a response or end up in a log. */
function secretParser(max: number): p.Parser<string> {
  const read = limitedText({ max });
  return p.described(
    (value) => (typeof value === "string" ? read(value) : p.refuse("type", "Expected a string")),
    () => p.schemaOf(read),
  );
}
