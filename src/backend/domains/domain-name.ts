import { domainToASCII, domainToUnicode } from "node:url";
import { quotable } from "../http/fields.ts";

/** A valid name: the lower-case A-label form, the form for people, and the last label. */
export interface DomainName {
  name: string;
  unicode: string;
  tld: string;
}

/** Why a text is no domain name, in words for the person who typed it. */
export interface NameFault {
  code: string;
  detail: string;
}

/** Longest text that is looked at: 253 octets as A-labels are never more characters than this. */
const MAX_TEXT = 1000;

/**
 * Reads a domain name as people write it: any case, Unicode or A-labels, a root dot or none. It has
 * at least two labels of letters, digits and hyphens (LDH, RFC 5890 §2.3.1) of 1 to 63 octets
 * without a hyphen at either end, 253 octets in all, and its last label is not a number
 * (RFC 3696 §2). Unicode is mapped by UTS #46, as browsers do. A URL or an address is refused.
 */
export function parseDomainName(text: string): DomainName | NameFault {
  const typed = text.trim();
  if (typed === "") return fault("required", "a domain name such as example.com", "nothing");
  if (typed.length > MAX_TEXT) return fault("length", "at most 253 octets", "many more");
  if (/[/:?#@]/.test(typed)) {
    return fault("not-a-name", "a bare domain name such as example.com, no URL or address", typed);
  }
  // The URL parser behind domainToASCII would decode or drop these instead of refusing them.
  if (/[\s%\\[\]<>^|\p{Cc}]/u.test(typed)) {
    return fault("characters", "letters, digits, hyphens and dots", typed);
  }
  const name = toAscii(typed);
  if (name === null) return fault("idna", "a name that IDNA (UTS #46) allows", typed);
  return checkLabels(name, typed) ?? { name, unicode: toUnicode(name), tld: lastLabel(name) };
}

/** The A-label form of a single label or name without any further rule, or null. */
export function toAscii(text: string): string | null {
  // With a last label that is no number, "1.2.3" is not rewritten as an IPv4 address.
  const suffixed = domainToASCII(`${text.replace(/[.\u3002\uff0e\uff61]$/u, "")}.suffix`);
  return suffixed === "" ? null : suffixed.slice(0, -".suffix".length);
}

function checkLabels(name: string, typed: string): NameFault | null {
  const labels = name.split(".");
  if (labels.includes("")) return fault("empty-label", "no empty label between the dots", typed);
  if (labels.length < 2) return fault("one-label", "at least two labels, as in example.com", typed);
  for (const label of labels) {
    if (label.length > 63) {
      return fault("label-length", "labels of at most 63 octets", `one of ${label.length}`);
    }
    if (!/^[a-z0-9-]+$/.test(label)) {
      return fault("characters", "letters, digits, hyphens and dots", typed);
    }
    if (label.startsWith("-") || label.endsWith("-")) {
      return fault("hyphen", "no hyphen at the start or end of a label", label);
    }
  }
  if (name.length > 253) return fault("length", "at most 253 octets", `${name.length}`);
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(lastLabel(name))) {
    return fault("numeric", "a last label that is not a number", typed);
  }
  return null;
}

/** The Unicode form, unless reading that again would give another name. */
function toUnicode(name: string): string {
  const unicode = domainToUnicode(name);
  return unicode !== "" && domainToASCII(unicode) === name ? unicode : name;
}

function lastLabel(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function fault(code: string, what: string, came: string): NameFault {
  return { code, detail: `Expected ${what}, but got ${quotable(came.slice(0, 80))}` };
}
