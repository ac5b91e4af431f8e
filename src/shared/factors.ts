import * as p from "./parse.ts";
import { parseSignInWay } from "./session.ts";
import { requiredLabel } from "./text.ts";

/** Recovery codes that come with an authenticator app; each signs in once. */
export const RECOVERY_CODES = 10;

const CODE = /^[\w\s-]{6,40}$/;

/** A code of an authenticator app, or a recovery code; spaces, hyphens and case do not matter. */
const parseCode = p.described(
  (value) =>
    typeof value === "string" && CODE.test(value)
      ? value
      : p.refuse("form", "Enter the 6 digits of your app, or a recovery code."),
  () => ({ type: "string", pattern: CODE.source }),
);

/**
 * `GET /api/factors`: how the person signs in beside a password.
 * - `offered`: ways that this server offers now.
 * - `linked`: an account at the OIDC issuer of this server is linked.
 * - `password`: the person has one.
 * - `passkeys`: they may be added here, which takes a server that knows its public address.
 */
export type Factors = p.Parsed<typeof parseFactors>;

export const parseFactors = p.object({
  totp: p.boolean,
  recoveryCodesLeft: p.integer(0, RECOVERY_CODES),
  linked: p.boolean,
  password: p.boolean,
  passkeys: p.boolean,
  offered: p.list(parseSignInWay),
});

/** `POST /api/factors/totp`: the `otpauth:` URI for an authenticator app, its secret in it. */
export const parseTotpSetUp = p.object({ uri: p.text });

/** `POST /api/factors/totp/confirm`, and `POST /api/token` after the right password. */
export const parseTotpCode = p.exactObject({ code: parseCode });
/** The answer to the confirmation: shown this once. */
export const parseRecoveryCodes = p.object({ recoveryCodes: p.list(p.text) });

export type Passkey = p.Parsed<typeof parsePasskey>;

export const parsePasskey = p.object({
  id: p.text,
  name: p.text,
  createdAt: p.text,
  lastUsedAt: p.nullable(p.text),
});
export const parsePasskeys = p.object({ items: p.list(parsePasskey) });

/** What `parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` of browsers take. */
export const parsePasskeyOptions = p.record(p.anything);

const base64url = p.textLike(/^[\w-]{1,20000}$/, "form", "base64url");
const credential = { id: base64url, rawId: base64url, type: p.oneOf(["public-key"]) };

export const MAX_PASSKEY_NAME_LENGTH = 60;

const parsePasskeyName = requiredLabel(MAX_PASSKEY_NAME_LENGTH, (value) =>
  p.refuse("required", p.expected("a name for the passkey", value)),
);

/** `POST /api/passkeys/confirm`: `credential` is what `PublicKeyCredential.toJSON()` returns. */
export const parseNewPasskey = p.exactObject({
  name: parsePasskeyName,
  credential: p.object({
    ...credential,
    response: p.object({ clientDataJSON: base64url, attestationObject: base64url }),
  }),
});

/** `POST /api/token` with a passkey: what `PublicKeyCredential.toJSON()` returns. */
export const parsePasskeySignIn = p.exactObject({
  passkey: p.object({
    ...credential,
    response: p.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url,
    }),
  }),
});

/** `POST /api/oidc/link`: where the browser goes to link an account. */
export const parseOidcLink = p.object({ url: p.text });

/** `PUT /api/sign-in`: whether passwords may be used, as the owner says. */
export const parseSignInChange = p.exactObject({ passwords: p.boolean });
