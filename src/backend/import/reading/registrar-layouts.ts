import { IMPORT_FIELD_NAMES, IMPORT_FIELDS, UNREAD_HEADERS } from "../../../shared/fields.ts";
import type { ColumnMeaning, DateOrder } from "../../../shared/import.ts";
import { foldLabel } from "../../../shared/text.ts";
import type { Mapping } from "./mapping.ts";

/** One known export. Headers are spelled as in the file, in lower case. */
export interface RegistrarLayout {
  id: string;
  /** Whose export it is, for people. */
  label: string;
  /** Where a domain is registered unless its row tells; null: only the file can tell. */
  registrar: string | null;
  /** The file has this layout where any of these matches its headers. */
  signatures: readonly Signature[];
  /** What is read. Of repeated headers the first is meant. */
  columns: Readonly<Record<string, ColumnMeaning>>;
  /** The order in which this registrar always writes dates with slashes. */
  dateOrder?: DateOrder;
  /** What a bare `$` means to this registrar. */
  dollar?: string;
  /**
   * Tags, formulas and line breaks are written as our own export writes them, and every other column
   * is a custom field.
   */
  own?: true;
}

/** `all`: these headers and others. `exactly`: no others, because these are common headers. */
type Signature = { all: readonly string[] } | { exactly: readonly string[] };

/** Every layout that is recognised by its headers. */
export const LAYOUTS: readonly RegistrarLayout[] = [
  {
    // Our own export, see `writeCsv`: what it wrote is read back exactly.
    id: "freehold",
    label: "Freehold",
    registrar: null,
    signatures: [
      { all: ["name", "unicode", "expires", "expiry source", "auto-renew", "renewal currency"] },
    ],
    columns: ownColumns(),
    own: true,
  },
  {
    // The full export, or the short one with four columns.
    id: "godaddy",
    label: "GoDaddy",
    registrar: "GoDaddy",
    signatures: [
      { all: ["domain name", "international domain name", "ownership date", "expiration date"] },
      { exactly: ["domain name", "expiration date", "auto-renew", "status"] },
    ],
    columns: {
      "domain name": "name",
      "expiration date": "expires",
      "auto-renew": "autoRenew",
      "renewal price": "renewalPrice",
      foldermemberships: "tags",
      "create date": "registeredOn",
      status: "status",
      lock: "locked",
      privacy: "privacy",
      nameservers: "nameservers",
    },
    dollar: "USD",
  },
  {
    id: "namecheap",
    label: "Namecheap",
    registrar: "Namecheap",
    signatures: [{ all: ["domain name", "domain auto-renew status", "domain expiration date"] }],
    columns: {
      "domain name": "name",
      "domain expiration date": "expires",
      "domain auto-renew status": "autoRenew",
      "domain status at nc": "status",
      "domain privacy protection status": "privacy",
    },
  },
  {
    // A sentence about estimated prices precedes the header.
    id: "porkbun",
    label: "Porkbun",
    registrar: "Porkbun",
    signatures: [{ all: ["domain", "expire date", "auto renew", "est. renewal price"] }],
    columns: {
      domain: "name",
      "expire date": "expires",
      "auto renew": "autoRenew",
      "est. renewal price": "renewalPrice",
      "create date": "registeredOn",
      statuses: "status",
      locked: "locked",
      privacy: "privacy",
      nameservers: "nameservers",
    },
    dollar: "USD",
  },
  {
    // The full export. It has the registration date twice, as a date and as a Unix time.
    id: "dynadot",
    label: "Dynadot",
    registrar: "Dynadot",
    signatures: [{ all: ["domain", "renewal status", "expiration date", "domain note"] }],
    columns: {
      domain: "name",
      "expiration date": "expires",
      "renewal status": "autoRenew",
      folder: "tags",
      "domain note": "notes",
      "registration date": "registeredOn",
      locked: "locked",
      privacy: "privacy",
      "name server": "nameservers",
    },
  },
  {
    // The short export, with dates as 12/31/2026.
    id: "namecom",
    label: "Name.com",
    registrar: "Name.com",
    signatures: [{ exactly: ["domain name", "create date", "expire date"] }],
    columns: { "domain name": "name", "expire date": "expires", "create date": "registeredOn" },
    dateOrder: "mdy",
  },
  {
    // Its `creation` is the day of the last change, and is not read.
    id: "ovh",
    label: "OVHcloud",
    registrar: "OVHcloud",
    signatures: [{ all: ["domain", "domain utf-8", "expiration", "dns-server"] }],
    columns: { domain: "name", expiration: "expires", "dns-server": "nameservers" },
  },
  {
    // `renew_by` is the day before the expiry; prices name no currency.
    id: "dnsimple",
    label: "DNSimple",
    registrar: "DNSimple",
    signatures: [{ all: ["domain_name", "registration_state", "expiration_date", "auto_renews"] }],
    columns: {
      domain_name: "name",
      expiration_date: "expires",
      auto_renews: "autoRenew",
      renewal_price: "renewalPrice",
      labels: "tags",
      registration_state: "status",
      whois_privacy: "privacy",
      registry_name_server_records: "nameservers",
    },
  },
  {
    // JSON, as `GET /v5/domain/domains` answers.
    id: "gandi",
    label: "Gandi",
    registrar: "Gandi",
    signatures: [{ all: ["fqdn", "fqdn_unicode", "autorenew", "dates.registry_ends_at"] }],
    columns: {
      fqdn: "name",
      "dates.registry_ends_at": "expires",
      autorenew: "autoRenew",
      tags: "tags",
      "dates.registry_created_at": "registeredOn",
      status: "status",
      "nameserver.hosts": "nameservers",
    },
  },
  {
    // JSON, as `GET /accounts/:id/registrar/domains` answers, or the newer `…/registrar/registrations`.
    id: "cloudflare",
    label: "Cloudflare",
    registrar: "Cloudflare",
    signatures: [
      { all: ["name", "current_registrar", "registry_statuses", "expires_at"] },
      { all: ["domain_name", "expires_at", "auto_renew", "privacy_mode"] },
    ],
    columns: {
      name: "name",
      domain_name: "name",
      current_registrar: "registrar",
      expires_at: "expires",
      auto_renew: "autoRenew",
      created_at: "registeredOn",
      registry_statuses: "status",
      status: "status",
      locked: "locked",
    },
  },
  {
    // JSON, as `aws route53domains list-domains` prints.
    id: "route53",
    label: "Amazon Route 53",
    registrar: "Amazon Route 53",
    signatures: [{ exactly: ["domainname", "autorenew", "transferlock", "expiry"] }],
    columns: {
      domainname: "name",
      expiry: "expires",
      autorenew: "autoRenew",
      transferlock: "locked",
    },
  },
  {
    // A marketplace: its prices are what a name is offered for.
    id: "sedo",
    label: "Sedo",
    registrar: null,
    signatures: [{ all: ["domain name", "domain name (ace)", "registrar", "sedomls status"] }],
    columns: {
      "domain name": "name",
      registrar: "registrar",
      price: "askingPrice",
      currency: "askingCurrency",
    },
  },
];

/** The layout that a header row belongs to, or null: then the mapping is proposed. */
export function findLayout(header: readonly string[]): RegistrarLayout | null {
  const found = header.map(plainHeader).filter((each) => each !== "");
  return LAYOUTS.find(({ signatures }) => signatures.some((each) => fits(found, each))) ?? null;
}

/** Registrars whose exports are no known layout, to be recognised in the name of a file. */
const OTHER_REGISTRARS =
  `Gandi, Cloudflare, IONOS, Hover, INWX, united-domains, Strato, Hetzner, netcup,
  Infomaniak, Hostinger, Squarespace, Network Solutions, Enom, Tucows, OpenSRS, NameSilo, NameBright,
  Spaceship, 123-reg, Fasthosts, TransIP, Loopia, one.com, home.pl, Aruba, REG.RU, Onamae, Key-Systems,
  MarkMonitor, Regery, Epik, Internet.bs, easyDNS, DreamHost, Bluehost`
    .split(",")
    .map((name) => name.trim());

/** Shorter names would be found in words by chance. */
const MIN_GUESS_LENGTH = 3;

/**
 * The registrar that the name of a file mentions, as `known` ones are spelled, or null; of several the
 * one with the longest name.
 */
export function guessRegistrar(fileName: string, known: readonly string[]): string | null {
  const plain = (text: string) => foldLabel(text).replace(/[^\p{L}\p{N}]+/gu, "");
  const name = plain(fileName.replace(/\.[^.]*$/, ""));
  const ofLayouts = LAYOUTS.flatMap(({ registrar }) => registrar ?? []);
  const mentioned = [...known, ...ofLayouts, ...OTHER_REGISTRARS].filter((each) => {
    const label = plain(each);
    return label.length >= MIN_GUESS_LENGTH && name.includes(label);
  });
  return mentioned.toSorted((one, other) => plain(other).length - plain(one).length)[0] ?? null;
}

/** The columns of our own export, by their headers. */
function ownColumns(): RegistrarLayout["columns"] {
  const read = IMPORT_FIELD_NAMES.filter((meaning) => meaning !== "custom");
  return {
    ...Object.fromEntries(
      Object.values(UNREAD_HEADERS).map((each) => [plainHeader(each), "ignore"] as const),
    ),
    ...Object.fromEntries(read.map((each) => [plainHeader(IMPORT_FIELDS[each].header), each])),
  };
}

/** What each column of a file in this layout means. */
export function mapLayout(layout: RegistrarLayout, header: readonly string[]): Mapping {
  const columns = new Map(Object.entries(layout.columns));
  return header.map((each) => {
    const plain = plainHeader(each);
    const other = layout.own && plain !== "" ? "custom" : "ignore";
    const field = columns.get(plain) ?? other;
    columns.delete(plain);
    return field;
  });
}

function plainHeader(header: string): string {
  return header.trim().toLowerCase();
}

function fits(found: readonly string[], signature: Signature): boolean {
  if ("all" in signature) return signature.all.every((each) => found.includes(each));
  const { exactly } = signature;
  return found.length === exactly.length && exactly.every((each) => found.includes(each));
}
