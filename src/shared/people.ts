import {
  boolean,
  described,
  exactObject,
  expected,
  list,
  nullable,
  object,
  oneOf,
  optional,
  refuse,
  text,
  type Parsed,
} from "./parse.ts";
import { ACCOUNT_ROLES } from "./session.ts";
import { EMAIL_ADDRESS, limitedText, parseLabel } from "./text.ts";

const EMAIL = new RegExp(`^${EMAIL_ADDRESS}$`, "u");
/** RFC 5321 §4.5.3.1. */
const MAX_EMAIL_LENGTH = 254;

export const MAX_NAME_LENGTH = 100;

/** Days after which an invitation and a link for a new password end. */
export const LINK_DAYS = 7;

/** E-mail addresses are compared trimmed, composed (NFC) and in lower case. */
export const parseEmail = described(
  (value) => {
    const given = limitedText({ max: MAX_EMAIL_LENGTH })(value);
    const email = given.normalize("NFC").trim().toLowerCase();
    return EMAIL.test(email)
      ? email
      : refuse("email", expected("an address such as ada@example.com", given));
  },
  () => ({ type: "string", maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL.source }),
);

/** The name that a person chooses; null and blank mean none: the e-mail address is shown. */
export const parsePersonName = parseLabel(MAX_NAME_LENGTH);

const parseRole = oneOf(ACCOUNT_ROLES);

/** A person with an account; `name` is the e-mail address unless they have chosen one. */
export type Person = Parsed<typeof parsePerson>;
export const parsePerson = object({
  id: text,
  email: text,
  name: text,
  role: parseRole,
  disabled: boolean,
  createdAt: text,
});

/** `GET /api/people`, by name. */
export const parsePeople = object({ items: list(parsePerson) });

export type PersonChange = Parsed<typeof parsePersonChange>;
export const parsePersonChange = exactObject({
  role: optional(parseRole),
  disabled: optional(boolean),
});

/** `PATCH /api/profile`: what people change about themselves without their password. */
export const parseProfile = exactObject({ name: parsePersonName });

/** An open invitation; with `email` null, anyone with the link can accept it. */
export type Invitation = Parsed<typeof parseInvitation>;
const INVITATION = {
  id: text,
  email: nullable(text),
  role: parseRole,
  /** The name of who made it, at that time. */
  by: text,
  createdAt: text,
  expiresAt: text,
};
const parseInvitation = object(INVITATION);

/** `GET /api/invitations`: the open ones, newest first. */
export const parseInvitations = object({ items: list(parseInvitation) });

export const parseNewInvitation = exactObject({ email: optional(parseEmail), role: parseRole });

/** Its answer, the only one with the link. `mailed`: it is on its way to the address, too. */
export const parseNewLink = object({ ...INVITATION, url: text, mailed: boolean });

/** `POST /api/people/:id/reset`: a link for a new password. */
export const parsePasswordLink = object({ url: text, expiresAt: text, mailed: boolean });
