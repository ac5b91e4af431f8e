import * as p from "./parse.ts";
import { ACCOUNT_ROLES } from "./session.ts";
import { EMAIL_ADDRESS, limitedText, LIMITS, parseLabel, requiredLabel, UUID } from "./text.ts";

export const EMAIL = new RegExp(`^${EMAIL_ADDRESS}$`, "u");
/** RFC 5321 §4.5.3.1. */
const MAX_EMAIL_LENGTH = 254;

export const MAX_NAME_LENGTH = 100;

/** E-mail addresses are compared trimmed, composed (NFC) and in lower case. */
export const parseEmail = p.described(
  (value) => {
    const given = limitedText({ max: MAX_EMAIL_LENGTH })(value);
    const email = given.normalize("NFC").trim().toLowerCase();
    return EMAIL.test(email)
      ? email
      : p.refuse("email", p.expected("an address such as ada@example.com", given));
  },
  () => ({ type: "string", maxLength: MAX_EMAIL_LENGTH, pattern: EMAIL.source }),
);

/** The name that a person chooses; null and blank mean none: the e-mail address is shown. */
export const parsePersonName = parseLabel(MAX_NAME_LENGTH);

const parseRole = p.oneOf(ACCOUNT_ROLES);

/** Owners of domains in one limit. */
const MAX_LIMIT_OWNERS = 100;

/**
 * What a viewer is limited to: the domains of some owners, in whatever spelling, or those of a saved view.
 * An owner that no domain has, a view that is gone and one without a filter show nothing.
 */
export type Limit = { owners: readonly string[] } | { view: string };

const parseOwner = requiredLabel(LIMITS.label, (item) =>
  p.refuse("required", p.expected("an owner", item)),
);
const parseOwners = p.exactObject({
  owners: p.list(parseOwner, { min: 1, max: MAX_LIMIT_OWNERS }),
});
const parseOfView = p.exactObject({ view: p.textLike(UUID, "type", "an id") });

export const parseLimit = p.described(
  (value): Limit =>
    p.isRecord(value) && Object.hasOwn(value, "view") ? parseOfView(value) : parseOwners(value),
  () => ({ anyOf: [parseOwners, parseOfView].map(p.schemaOf) }),
);

/** A person with an account; `name` is the e-mail address unless they have chosen one. */
export type Person = p.Parsed<typeof parsePerson>;
export const parsePerson = p.object({
  id: p.text,
  email: p.text,
  name: p.text,
  role: parseRole,
  /** Of a viewer who sees some domains alone. */
  limit: p.optional(parseLimit),
  disabled: p.boolean,
  createdAt: p.text,
});

/** `GET /api/people`, by name. */
export const parsePeople = p.object({ items: p.list(parsePerson) });

export const parsePersonChange = p.exactObject({
  role: p.optional(parseRole),
  /** Null lifts it, without which a limited viewer becomes no editor or owner. */
  limit: p.optional(p.nullable(parseLimit)),
  disabled: p.optional(p.boolean),
});

/** `PATCH /api/profile`: what people change about themselves without their password. */
export const parseProfile = p.exactObject({ name: parsePersonName });

/** An open invitation; with `email` null, anyone with the link can accept it. */
export type Invitation = p.Parsed<typeof parseInvitation>;
const INVITATION = {
  id: p.text,
  email: p.nullable(p.text),
  role: parseRole,
  limit: p.optional(parseLimit),
  /** The name of who made it, at that time. */
  by: p.text,
  createdAt: p.text,
  expiresAt: p.text,
};
const parseInvitation = p.object(INVITATION);

/** `GET /api/invitations`: the open ones, newest first. */
export const parseInvitations = p.object({ items: p.list(parseInvitation) });

export const parseNewInvitation = p.exactObject({
  email: p.optional(parseEmail),
  role: parseRole,
  limit: p.optional(parseLimit),
});

/** Its answer, the only one with the link. `mailed`: it is on its way to the address, too. */
export const parseNewLink = p.object({ ...INVITATION, url: p.text, mailed: p.boolean });

/** `POST /api/people/:id/reset`: a link for a new password. */
export const parsePasswordLink = p.object({ url: p.text, expiresAt: p.text, mailed: p.boolean });
