import * as p from "./parse.ts";

/** Path of the session; every other path below `/api/` needs one. */
export const TOKEN_PATH = "/api/token";

/** Begins the name of the cookie whose value goes into `X-XSRF-TOKEN`: see `cookieNameAt`. */
export const XSRF_COOKIE = "XSRF-TOKEN";

/** Characters of a password, counted as code points; an old one may be shorter than `min`. */
export const PASSWORD_LENGTH = { min: 12, max: 256 } as const;

/** What a route or a part of a screen takes: a right has the name of the role that it is made for. */
export type Right = "public" | Role;

/** What each role may do. The database checks the names of those of accounts, too. */
const RIGHTS = {
  /** A viewer with a limit: see `parseLimit`. Whatever is not made for them is refused. */
  limited: ["public", "limited"],
  viewer: ["public", "limited", "viewer"],
  editor: ["public", "limited", "viewer", "editor"],
  owner: ["public", "limited", "viewer", "editor", "owner"],
} as const;

export type Role = keyof typeof RIGHTS;
export const ROLES = Object.keys(RIGHTS) as Role[]; // Made of all keys.

/** Roles that owners give to people; a limit makes a viewer a limited one. */
export const ACCOUNT_ROLES = ["viewer", "editor", "owner"] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/** What a role may do; null is a stranger. */
export function rightsOf(role: Role | null): readonly Right[] {
  return role === null ? ["public"] : RIGHTS[role];
}

/** Who has a right, in words: `editors and owners`. */
export function whoMay(right: Right): string {
  if (right === "viewer") return "people without a limit";
  const roles = ACCOUNT_ROLES.filter((role) => rightsOf(role).includes(right));
  return new Intl.ListFormat("en").format(roles.map((role) => `${role}s`));
}

export const SIGN_IN_WAYS = ["password", "passkey", "oidc"] as const;
export type SignInWay = (typeof SIGN_IN_WAYS)[number];

export const parseSignInWay = p.oneOf(SIGN_IN_WAYS);

/**
 * `GET /api/token`. `set-up`: this register has no owner yet.
 * - `factors`: when signed in, those that the person has set up, of this and of a sign-in alone; when
 *   signed out, what the sign-in takes next, after the right password.
 * - `signIn`: how a sign-in may begin; by password alone where it is absent.
 */
export type Session = p.Parsed<typeof parseSession>;

export const parseSession = p.variant("state", {
  "set-up": {},
  "signed-out": {
    factors: p.optional(p.list(p.oneOf(["totp", "recovery"]))),
    signIn: p.optional(p.list(parseSignInWay)),
  },
  // `name` is the e-mail address where the person has chosen none.
  "signed-in": {
    email: p.text,
    id: p.optional(p.text),
    name: p.optional(p.text),
    role: p.optional(p.oneOf(ROLES)),
    factors: p.optional(p.list(p.oneOf(["totp", "passkey"]))),
  },
});

/** `GET /api/sessions`: where the person is signed in, the session used last first. */
export const parseSessions = p.object({
  items: p.list(
    p.object({
      id: p.text,
      device: p.text,
      address: p.text,
      lastSeenAt: p.text,
      current: p.boolean,
    }),
  ),
});

/** Path that accepts the link of an invitation or of a new password. */
export const ACCEPT_PATH = "/api/invitations/accept";
