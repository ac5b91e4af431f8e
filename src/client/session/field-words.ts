const WORDS: Record<string, string> = {
  account: "account",
  autoRenew: "auto-renew",
  decision: "decision",
  expires: "expiry",
  name: "name",
  notes: "notes",
  owner: "owner",
  registrar: "registrar",
  renewal: "renewal price",
  tags: "tags",
};

/** What a field of a domain is called, inside a sentence; one that nobody knows by its own name. */
export function fieldInWords(field: string): string {
  return WORDS[field] ?? field;
}
