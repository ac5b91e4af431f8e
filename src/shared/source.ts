/**
 * Who reports an expiry or changes a domain: a person; a registry, registrar or WHOIS host asked
 * live; an account at a registrar; or, by its name, a registrar or file that was imported.
 */
export type Source =
  | { kind: "manual" }
  | { kind: LiveSource; host: string }
  | { kind: "account"; registrar: string; account: string }
  | { kind: "named"; name: string };

type LiveSource = keyof typeof LIVE_SOURCES;

/** How the texts of sources that are asked live begin, and what people call them. */
const LIVE_SOURCES = {
  registry: { prefix: "rdap:", label: "Registry" },
  registrar: { prefix: "rdap-registrar:", label: "Registrar" },
  whois: { prefix: "whois:", label: "WHOIS" },
} as const;

const LIVE_KINDS = ["registry", "registrar", "whois"] as const satisfies readonly LiveSource[];

/** The source of a day that a person set. It outranks every other. */
export const MANUAL = "manual";

/**
 * Reads a source from the text under which it is stored; every text is one. Of an account, its id
 * stands where it is stored, its label where it is shown.
 */
export function parseSource(text: string): Source {
  if (text === MANUAL) return { kind: "manual" };
  const kind = LIVE_KINDS.find((each) => text.startsWith(LIVE_SOURCES[each].prefix));
  const [, registrar, account] = /^account:([^:]+):(.+)/s.exec(text) ?? [];
  if (registrar && account) return { kind: "account", registrar, account };
  if (kind === undefined) return { kind: "named", name: text };
  return { kind, host: text.slice(LIVE_SOURCES[kind].prefix.length) };
}

/** The text under which a source is stored: `rdap:rdap.verisign.com`. */
export function formatSource(source: Source): string {
  if (source.kind === "manual") return MANUAL;
  if (source.kind === "named") return source.name;
  if (source.kind === "account") return `account:${source.registrar}:${source.account}`;
  return LIVE_SOURCES[source.kind].prefix + source.host;
}

/** A source as people read it: `Registry (rdap.verisign.com)`, `Gandi account`. */
export function sourceInWords(text: string): string {
  const source = parseSource(text);
  if (source.kind === "account") return `${source.account} account`;
  return "host" in source ? `${LIVE_SOURCES[source.kind].label} (${source.host})` : text;
}
