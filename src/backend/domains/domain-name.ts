import { domainToASCII, domainToUnicode } from "node:url";
import { getPublicSuffix } from "tldts";
import { readUrlHost } from "../../shared/url-host.ts";

/** A valid name: the lower-case A-label form, and the form for people. */
export interface DomainName {
  name: string;
  unicode: string;
}

interface NameFault {
  code: string;
  detail: string;
}

/** Longer texts are not looked at: 253 octets as A-labels are never more characters than this. */
const MAX_TEXT_LENGTH = 1000;
const MAX_NAME_LENGTH = 253;
const MAX_PART_LENGTH = 63;
/** Most names: lower-case LDH labels, no A-label, no root dot. UTS #46 leaves them as they are. */
const PLAIN_NAME = /^(?!.*xn--)[a-z0-9.-]*[a-z0-9-]$/;

/** The names are checked already. */
const SUFFIX_OPTIONS = { extractHostname: false, validateHostname: false };

const FAULTS = {
  required: "Enter a domain, for example example.com.",
  length: `The name is longer than ${MAX_NAME_LENGTH} characters.`,
  "not-a-name": "Enter only the domain, for example example.com.",
  address: "This is an e-mail address. Enter only the domain.",
  characters: "That isn’t a valid domain. Use letters, digits, hyphens and dots.",
  idna: "Not a valid internationalised domain name.",
  "empty-label": "Part of the name between two dots is empty.",
  "one-label": "Enter the domain with its ending, for example example.com.",
  "label-length": `Part of the name is longer than ${MAX_PART_LENGTH} characters.`,
  hyphen: "Part of the name starts or ends with a hyphen.",
  numeric: "This is an IP address.",
} as const;

/**
 * Reads a name as people write it: any case, Unicode or A-labels, with a root dot, or in a URL. At
 * least two labels of letters, digits and hyphens (LDH, RFC 5890 §2.3.1) of 1 to 63 octets, 253 in
 * all; the last is no number (RFC 3696 §2). UTS #46 maps Unicode, as in browsers.
 */
export function parseDomainName(text: string): DomainName | NameFault {
  const typed = readUrlHost(text) ?? text.trim();
  if (typed === "") return fault("required");
  if (typed.length > MAX_TEXT_LENGTH) return fault("length");
  if (/^(?:https?:\/\/)?\[?[\da-f]*:[\da-f]*:/i.test(typed)) return fault("numeric");
  if (typed.includes("@")) return fault("address");
  if (/[/:?#]/.test(typed)) return fault("not-a-name");
  // The URL parser behind domainToASCII would decode or drop these instead of refusing them.
  if (/[\s%\\[\]<>^|\p{Cc}]/u.test(typed)) return fault("characters");
  const name = PLAIN_NAME.test(typed) ? typed : toAscii(typed);
  if (name === null) return fault("idna");
  return checkLabels(name) ?? { name, unicode: toUnicode(name) };
}

/** Refuses a public suffix of the ICANN section, such as `co.uk`; private ones have owners. */
export function parseOwnedName(text: string): DomainName | NameFault {
  const name = parseDomainName(text);
  if ("code" in name || getPublicSuffix(name.name, SUFFIX_OPTIONS) !== name.name) return name;
  return {
    code: "public-suffix",
    detail:
      `Domains are registered under ${name.unicode}. ` +
      `Enter the whole domain, for example example.${name.unicode}.`,
  };
}

/** The A-label form of a single label or name without any further rule, or null. */
export function toAscii(text: string): string | null {
  // With a last label that is no number, "1.2.3" is not rewritten as an IPv4 address.
  const suffixed = domainToASCII(`${text.replace(/[.\u3002\uff0e\uff61]$/u, "")}.suffix`);
  return suffixed === "" ? null : suffixed.slice(0, -".suffix".length);
}

function checkLabels(name: string): NameFault | null {
  const labels = name.split(".");
  if (labels.includes("")) return fault("empty-label");
  if (labels.length < 2) return fault("one-label");
  for (const label of labels) {
    if (label.length > MAX_PART_LENGTH) return fault("label-length");
    if (!/^[a-z0-9-]+$/.test(label)) return fault("characters");
    if (label.startsWith("-") || label.endsWith("-")) return fault("hyphen");
  }
  if (name.length > MAX_NAME_LENGTH) return fault("length");
  if (/\.(?:\d+|0x[0-9a-f]*)$/.test(name)) return fault("numeric");
  return null;
}

/** The Unicode form, unless reading that again would give another name. */
function toUnicode(name: string): string {
  if (!name.includes("xn--")) return name;
  const unicode = domainToUnicode(name);
  return unicode !== "" && domainToASCII(unicode) === name ? unicode : name;
}

function fault(code: keyof typeof FAULTS): NameFault {
  return { code, detail: FAULTS[code] };
}

/** What a table has for the longest suffix of a name, label by label; null: nothing. */
export function findBySuffix<T>(name: string, table: ReadonlyMap<string, T>): T | null {
  const labels = name.split(".");
  for (let from = 1; from < labels.length; from += 1) {
    const found = table.get(labels.slice(from).join("."));
    if (found !== undefined) return found;
  }
  return null;
}
