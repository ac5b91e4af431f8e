import { describe, expect, test } from "bun:test";
import { importAll } from "../../../support/import-source.ts";

/** What the first row of a file says, and which fields of it a person is asked for. */
async function firstOf(text: string) {
  const { analysis, rows } = await importAll(text);
  const asked = analysis.ambiguous.map((each) =>
    each.code === "field" ? `${each.field}: ${each.columns}` : each.code,
  );
  return { asked, values: rows[0]?.values, problems: rows.flatMap(({ problems }) => problems) };
}

const EUR = (minor: number, years: number | null = null) => ({ minor, currency: "EUR", years });

describe("A layout that nobody has seen", () => {
  test.each([
    [
      "Polish",
      "Nazwa domeny;Data rejestracji;Data wygaśnięcia;Automatyczne odnowienie;Cena odnowienia;Uwagi;Rejestrator;Właściciel;Etykiety;Konto\na.pl;01.02.2015;01.02.2027;tak;1 129,00 zł;moja;home.pl;Ala;sklep;k1\nb.pl;1.02.2015;31.03.2027;nie;129,00 zł;;home.pl;Ola;;k1\n",
      {
        expires: "2027-02-01",
        autoRenew: true,
        renewal: { minor: 112_900, currency: "PLN", years: null },
        registrar: "home.pl",
        account: "k1",
        owner: "Ala",
        tags: ["sklep"],
        registeredOn: "2015-02-01",
        notes: "moja",
      },
    ],
    [
      "Japanese",
      'ドメイン名,登録日,有効期限,自動更新,更新料金(円),所有者,備考\na.jp,2015/04/01,2027/04/30,設定済み,"3,124",総務部,メモ\nb.jp,2015/04/01,2027/05/31,未設定,"1,628",総務部,\n',
      {
        expires: "2027-04-30",
        autoRenew: true,
        renewal: { minor: 3_124, currency: "JPY", years: null },
        owner: "総務部",
        registeredOn: "2015-04-01",
        notes: "メモ",
      },
    ],
    [
      "German, by the contract",
      "Domain-Name;Laufzeit bis;Nächste Verlängerung;Auto-Renew;Jahresgebühr\na.de;31.12.2026;01.01.2027;Ja;19,00 €\n",
      { expires: "2026-12-31", autoRenew: true, renewal: EUR(1_900) },
    ],
    [
      "German, what is understood of it",
      "Domain;Vertragsende;Renewal-Modus;Preis/Jahr (netto);Kündigung zum\na.de;28.02.2027;AUTOEXPIRE;9,90 €;27.02.2027\n",
      { expires: "2027-02-28", autoRenew: false, renewal: EUR(990) },
    ],
    [
      "German, with the number by which one talks to the registrar",
      "Domain;Vertrag;Laufzeitende\na.de;90207451;31.12.2026\nb.de;90207451;31.01.2027\n",
      { expires: "2026-12-31", account: "90207451" },
    ],
    [
      "Spanish, where renewal is a choice",
      "Dominio;Fecha de alta;Caducidad;Renovación;Importe anual\na.es;05/02/2015;25/02/2027;Automática;9,95 €\nb.es;25/02/2015;05/02/2027;Manual;9,95 €\n",
      { expires: "2027-02-25", autoRenew: true, renewal: EUR(995), registeredOn: "2015-02-05" },
    ],
    [
      "a registrar's API, as a table",
      "fqdn,dates.created_at,dates.registry_ends_at,autorenew.enabled\na.example,2015-01-05T00:00:00Z,2027-01-05T00:00:00Z,true\n",
      { expires: "2027-01-05", autoRenew: true, registeredOn: "2015-01-05" },
    ],
    [
      "a billing system's",
      "ID,Domain,Period,Recurring Amount,Next Due Date,Expiry Date,Auto\n1,a.example,2 Year(s),$30.00 USD,25/01/2027,26/01/2027,Y\n",
      {
        expires: "2027-01-26",
        autoRenew: true,
        renewal: { minor: 3_000, currency: "USD", years: 2 },
      },
    ],
    [
      "DomainMOD's",
      "domain,expiry_date,function,auto_renewal,privacy_status,domain_status,registration_fee,renewal_fee,transfer_fee,privacy_fee,fee_currency,domain_notes,category ,category_notes,hosting_provider,registrar_name,registrar_url,registrar_notes,registrar_account_owner,registrar_account_email_address,registrar_account_username,registrar_account_password,api_key,api_secret,dns_server_1,dns_notes\n" +
        "a.example,2027-01-05,Shop,1,YES,ACTIVE,1.55,2,3,2,CAD,The notes,Category A,x,Host,Hoster,https://hoster.example,x,Pat,pat@a.example,pat-1,hunter2,key,secret,ns1.hoster.example,x\n" +
        "b.example,2027-02-06,Blog,NO,NO,1,2,3.92,4,2,CAD,,Category B,x,Host,Hoster,https://hoster.example,x,Kim,kim@a.example,kim-1,hunter3,key,secret,ns1.hoster.example,x\n",
      {
        expires: "2027-01-05",
        autoRenew: true,
        renewal: { minor: 200, currency: "CAD", years: null },
        registrar: "Hoster",
        account: "pat-1",
        owner: "Pat",
        privacy: true,
        status: "ACTIVE",
        nameservers: ["ns1.hoster.example"],
        tags: ["Category A"],
        notes: "The notes",
      },
    ],
    [
      "a portfolio: what was bought, sold and offered, in the order of its clearest dates",
      "Domain;Expires;Created;Purchase date;Purchase price;Currency;Sold date;Sold price;Nameserver 1;Nameserver 2;Locked\n" +
        "a.example;05/01/2027;31/12/2019;01/02/2020;1.250,00;EUR;03/04/2026;£9.900;ns1.a.example;ns2.a.example;unlocked\n",
      {
        expires: "2027-01-05",
        registeredOn: "2019-12-31",
        purchasedOn: "2020-02-01",
        soldOn: "2026-04-03",
        locked: false,
        purchasePrice: { minor: 125_000, currency: "EUR" },
        soldPrice: { minor: 990_000, currency: "GBP" },
        nameservers: ["ns1.a.example", "ns2.a.example"],
      },
    ],
  ])("is read without a question: %s", async (_, text, values) => {
    expect(await firstOf(text)).toEqual({ asked: [], values, problems: [] });
  });

  const unclear =
    "Free until;Offer ends;Trial ends;Renewed until;Next billing date;Next billing;" +
    "Next payment date;Payment due date;Fecha de baja;Nächste Kündigungsmöglichkeit;Zzyzx;更新日";
  const otherPrices =
    "Renewal price (cents);renewal_price_minor;Monthly renewal price;Preis pro Monat;" +
    "First year price;2 year renewal price;Preis 1. Jahr";
  const otherDays =
    "Auction ends at;Renewed on;Verlängert am;Drop date;Eligible to transfer on;Deletion date";
  const expiry = "Laufzeit;Term;Verlängert sich am;Se renouvelle le;To be renewed on";
  const withVat = "Renewal price (excl. VAT);Renewal price incl. VAT;Renewal price ex VAT";
  const noRenewal = "Auto-renew disabled;Auto-Renew Off;Cancel auto-renew;autorenew_disabled";
  test.each([
    ["a day that may be the expiry", unclear, "2027-01-05", {}, ["expires: 1"]],
    ["a day that is not the expiry", otherDays, "2027-01-05", {}, []],
    ["the expiry", expiry, "25.01.2027", { expires: "2027-01-25" }, []],
    ["no price of a year", otherPrices, "1099", {}, []],
    ["a price, and no number of a tax payer", withVat, "9.00 EUR", { renewal: EUR(900) }, []],
    ["a yes", "Auto-renew (on/off)", "on", { autoRenew: true }, []],
    ["no yes", noRenewal, "yes", {}, []],
    ["the registrar", "Registered at;Bought at", "Gandi", { registrar: "Gandi" }, []],
  ] as const)("takes for %s what is under %j: %j", async (_, headers, cell, values, asked) => {
    for (const header of headers.split(";")) {
      const read = await firstOf(`Domain;${header}\na.example;${cell}\n`);
      expect<unknown>([header, read]).toEqual([header, { asked, values, problems: [] }]);
    }
  });

  test.each([
    "Domain,Price,Category,BIN\na.example,2500,Brand,5000\n",
    "Domain,Price,Currency,Views,Offers\na.example,2500,EUR,3,0\n",
    "Domain,Price,Status,Floor price\na.example,2500,listed,900\n",
    "Domain,Price,Reserve price\na.example,2500,2000\n",
    "Domain,Price,Appraisal\na.example,2500,2000\n",
    "Domain;Preis;Währung;Angebote;Besucher\na.example;2500;EUR;2;10\n",
    "Domaine;Prix;Offres;Visites\na.example;2500;2;10\n",
    "Dominio;Precio;Ofertas\na.example;2500;2\n",
  ])("is asked whether a price among those of a market is the renewal's: %j", async (text) => {
    const { asked, values } = await firstOf(text);
    expect(asked).toEqual(["renewalPrice: 1"]);
    expect(values).not.toHaveProperty("renewal");
  });

  const years = (terms: string, count: number | null) =>
    terms.split(";").map((term) => [term, EUR(4_000, count), []] as const);
  const notYearly = [expect.stringContaining("price per year")];
  const otherTerms =
    "Monthly;Biennially;Triennially;Semi-Annually;One Time;zweijährlich;Wöchentlich";
  test.each([
    ...years("Annually;annuellement;year;One year;ein Jahr;年払い", 1),
    ...years("24;2;2 years", 2),
    ...years("36 Monate", 3),
    ...years("30 days;2 weeks;15;n/a;-;", null),
    ...otherTerms.split(";").map((term) => [term, undefined, notYearly] as const),
  ])("takes a price of the term %j for %j", async (term, renewal, details) => {
    for (const header of ["Term", "Billing cycle"]) {
      const { rows } = await importAll(
        `Domain,Renewal price,${header}\na.example,40.00 EUR,${term}\n`,
      );
      expect<unknown>(rows[0]?.values.renewal).toEqual(renewal);
      expect<unknown>(rows[0]?.problems.map(({ detail }) => detail)).toEqual(details);
    }
  });

  test("knows a name in two spellings for one", async () => {
    const text =
      "Domain (IDN),Domain (ACE)\nbücher.example,xn--bcher-kva.example\na.example,A.example\n";
    const { analysis, rows } = await importAll(text);
    expect(analysis.ambiguous).toEqual([]);
    expect(rows.map(({ name }) => name?.name)).toEqual(["xn--bcher-kva.example", "a.example"]);
  });

  test("takes a row that names the domain for the header, whatever else is in it", async () => {
    const text = "Domain;Feld 1;Feld 2;2025;2026\na.example;x;y;1;2\nb.example;x;y;1;2\n";
    const { analysis, rows } = await importAll(text);
    const headers = analysis.columns.map(({ header }) => header);
    expect(headers).toEqual(["Domain", "Feld 1", "Feld 2", "2025", "2026"]);
    expect(rows.map(({ name }) => name?.name)).toEqual(["a.example", "b.example"]);
  });

  test("asks where dots stand between years in front and days", async () => {
    const { analysis, rows } = await importAll(
      "Domain,Expires\na.example,27.01.05\nb.example,28.03.14\n",
    );
    expect(analysis.ambiguous).toMatchObject([{ code: "date-order", orders: ["dmy", "ymd"] }]);
    expect(rows.map(({ values }) => values)).toEqual([{}, {}]);
    const hyphens = await importAll("Domain,Expires\na.example,27-01-05\nb.example,28-03-14\n");
    expect(hyphens.analysis.ambiguous).toMatchObject([{ orders: ["dmy", "ymd"] }]);
    const day = async (cells: string) => (await firstOf(`Domain,Expires\n${cells}\n`)).values;
    expect(await day("a.example,05.01.27\nb.example,28.03.29")).toEqual({ expires: "2027-01-05" });
    expect(await day("a.example,27.01.27")).toEqual({ expires: "2027-01-27" });
  });
});
