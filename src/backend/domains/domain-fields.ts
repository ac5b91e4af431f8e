/** The fields of a domain that a person or a file says, and that its history tells of. */
export const DOMAIN_FIELDS = [
  "name",
  "registrar",
  "account",
  "owner",
  "tags",
  "decision",
  "autoRenew",
  "expires",
  "renewal",
  "notes",
] as const;

export type DomainField = (typeof DOMAIN_FIELDS)[number];
