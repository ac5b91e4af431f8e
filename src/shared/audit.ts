import * as p from "./parse.ts";

/** What the audit log records, and how it reads: who “signed in”. */
export const AUDIT_ACTIONS = {
  "sign-in": "signed in",
  "sign-in-failed": "failed to sign in",
  "owner-created": "set this server up",
  "person-added": "joined",
  "person-renamed": "changed a name",
  "role-changed": "changed a role",
  "person-disabled": "disabled an account",
  "person-enabled": "enabled an account",
  "person-deleted": "deleted an account",
  "email-changed": "changed an e-mail address",
  "password-changed": "changed a password",
  "password-reset": "reset a password with a link",
  "password-link-added": "made a link for a new password",
  "invitation-added": "invited someone",
  "invitation-revoked": "revoked an invitation",
  "sessions-ended": "ended sessions",
  "token-added": "added an API token",
  "token-revoked": "revoked an API token",
  "factor-added": "set up a second step",
  "factor-removed": "removed a second step",
  "recovery-code-used": "used a recovery code",
  "identity-linked": "linked a sign-in service",
  "feed-added": "added a calendar",
  "feed-revoked": "revoked a calendar",
  "channel-added": "added a channel",
  "channel-changed": "changed a channel",
  "channel-deleted": "deleted a channel",
  "mail-server-changed": "changed the mail server",
  "mail-server-deleted": "removed the mail server",
  "settings-changed": "changed settings",
  "account-added": "added a registrar account",
  "account-changed": "changed a registrar account",
  "account-deleted": "deleted a registrar account",
  "bin-emptied": "emptied the bin",
  exported: "exported domains",
  "backed-up": "backed up the register",
  restored: "restored a backup",
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

const parseNamed = p.object({ id: p.text, name: p.text });

/** `address` is null for a command on the machine, `by` for an unknown client. */
export type AuditEntry = p.Parsed<typeof parseAuditEntry>;
const parseAuditEntry = p.object({
  id: p.text,
  at: p.text,
  address: p.nullable(p.text),
  action: p.keyOf(AUDIT_ACTIONS),
  by: p.nullable(parseNamed),
  token: p.optional(parseNamed),
  subject: p.optional(p.text),
  detail: p.optional(p.text),
});

/** `GET /api/audit`, newest first; `next` is the `after` of the next page. */
export const parseAuditPage = p.page(parseAuditEntry);
