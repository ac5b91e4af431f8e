import { describe, expect, test } from "bun:test";
import { readHeader } from "../../../../src/backend/import/reading/headers.ts";

/** Per field, headers as English, German, French, Spanish, Italian, Dutch and Portuguese write them. */
const STRONG = {
  name: [
    "Domain, Domain Name, domain_name, domainName, fqdn, Domänenname, Domainname, Nom de domaine, Domena, ドメイン",
    "Nombre de dominio, Nome di dominio, Domeinnaam, Nome do domínio, Domínio, Nome dominio",
  ],
  expires: [
    "Expires, Expiry date, expirationDate, Exp. Date, Paid until, Ablaufdatum, Gültig bis",
    "Date d’échéance, Date d'expiration, Fecha de vencimiento, Data di scadenza, Verloopdatum",
    "Data de expiração, Ważna do, 満了日, date_registry_end",
  ],
  autoRenew: [
    "Auto-renew, AutoRenew, auto_renews, Automatische Verlängerung",
    "Renouvellement automatique, Renovación automática, Rinnovo automatico",
    "Automatisch verlengen, Renovação automática, Autoodnawianie, 自動更新",
  ],
  renewalPrice: [
    "Renewal Price, renewal_fee, Annual cost, Verlängerungspreis, Preis pro Jahr, Prix de renouvellement",
    "Precio de renovación, Prezzo di rinnovo, Preço de renovação, Opłata roczna, 年額, Tarif annuel",
  ],
  currency: ["Currency, fee_currency, Währung, Devise, Moneda, Valuta, Moeda, Waluta"],
  registrar: ["Registrar, Registrar name, Bureau d'enregistrement, Registrador"],
  account: ["Account, Registrar Account, Konto, Compte, Cuenta, Conta"],
  owner: ["Owner, Eigentümer, Propriétaire, Propietario, Proprietario, Eigenaar"],
  tags: ["Tags, Labels, Schlagwörter, Étiquettes, Etiquetas, Etichette"],
  notes: ["Notes, Domain Note, Bemerkungen, Remarques, Notas, Opmerkingen, Observações"],
  years: ["Years, Renewal period, Laufzeit, Durée"],
  registeredOn: [
    "Create Date, Registration Date, Registered, Erstellt am, Date de création",
    "Data rejestracji, 登録日, date_registry_creation",
  ],
  status: ["Status, Domain status, STATUSES"],
  locked: ["Lock, Locked, Registrar lock, Transfersperre"],
  privacy: ["Privacy, WHOIS privacy, whois_privacy"],
  nameservers: ["Nameservers, Name Server, NS1, dns_server_2, ネームサーバー"],
  purchasePrice: [
    "Purchase Price, Purchase price (gross), Paid for it, Acquisition cost, Kaufpreis",
  ],
  purchaseCurrency: ["Purchase currency"],
  purchasedOn: ["Purchase date, Acquired, Kaufdatum"],
  askingPrice: ["Asking Price, Asking price (net), Buy Now, BIN price"],
  askingCurrency: ["Asking currency"],
  soldPrice: ["Sold price, Sold for"],
  soldCurrency: ["Sold currency"],
  soldOn: ["Sold date, Sold at"],
};

const OTHER = [
  "Updated, Ownership Date, Sale date, Listed at, Payment date, Lease end date",
  "Expiration Protection, Expiration Date Timestamp, Days until expiry, SSL expiry, SSL有効期限",
  "Auto-renew price, Nameserver type, DNSSEC, Estimated Value, Minimum Offer, Transfer fee",
  "TLD",
]
  .join(", ")
  .split(", ");

describe("readHeader", () => {
  for (const [field, headers] of Object.entries(STRONG)) {
    test.each(headers.join(", ").split(", "))(`takes %j for ${field}`, (header) =>
      expect<unknown>(readHeader(header)).toEqual({ kind: "field", field, confidence: "high" }),
    );
  }

  test.each(OTHER)("takes %j for nothing of a domain", (header) =>
    expect(readHeader(header)).toEqual({ kind: "unused" }),
  );

  test.each([
    ["Price", "renewalPrice"],
    ["Prijs", "renewalPrice"],
    ["Preis (EUR)", "renewalPrice"],
    ["Preis (brutto)", "renewalPrice"],
    ["Preis netto", "renewalPrice"],
    ["Price (gross)", "renewalPrice"],
    ["Renewal date", "expires"],
    ["Folder", "tags"],
    ["Name", "name"],
    ["Client", "owner"],
    ["Anbieter", "registrar"],
    ["Dostawca", "registrar"],
    ["Renewal Status", "autoRenew"],
    ["Renew Option", "autoRenew"],
  ])("takes %j for %s where the values agree", (header, field) =>
    expect<unknown>(readHeader(header)).toEqual({ kind: "field", field, confidence: "low" }),
  );

  test.each([
    "Punycode",
    "Domain Name (ACE)",
    "domain utf-8",
    "International Domain Name",
    "Unicode",
  ])("takes %j for another spelling of the name", (header) =>
    expect(readHeader(header)).toEqual({ kind: "spelling" }),
  );

  test.each([
    "",
    "Foo",
    "Domain;Expires;Auto-renew",
    "Please note that renewal prices are estimates based on current renewal rates.",
  ])("knows nothing of %j", (header) => expect(readHeader(header)).toBeNull());
});
