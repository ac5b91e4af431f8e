import { all, any, foldHeader, has, is } from "./header-matchers.ts";
import { high, low, spelling, unused } from "./header-matchers.ts";
import type { HeaderMeaning, HeaderRule, HeaderTest } from "./header-matchers.ts";
import { SECRET_HEADERS } from "./secret-headers.ts";

/** Longer cells are sentences of a preamble; so are those of more words. */
const MAX_HEADER_LENGTH = 60;
const MAX_HEADER_WORDS = 7;

/** What a header means, or null where it is unknown. */
export function readHeader(header: string): HeaderMeaning | null {
  const folded = foldHeader(header);
  // A cell with separators in it is a whole row, looked at with the wrong one.
  if (folded === "" || folded.length > MAX_HEADER_LENGTH || /[;\t|]/.test(header)) return null;
  if (SECRET_HEADERS.some((pattern) => pattern.test(folded))) return { kind: "secret" };
  if (folded.split(" ").length > MAX_HEADER_WORDS) return null;
  return HEADER_RULES.find(({ test }) => test(folded))?.meaning ?? null;
}

/** The column of what precedes the suffix of a name, as registries call it. */
export const isSecondLevelHeader = is("sld, second level domain, second level");

/** The column of the suffix of a name, as registries call it. */
export const isTopLevelHeader = is(`tld, top level domain, top level, topleveldomain,
  domaine de premier niveau, dominio de nivel superior, dominio di primo livello, domena najwyzszego poziomu,
  トップレベルドメイン`);

/** The column of the suffix of a name, in words that may mean something else. */
export const isExtensionHeader = is(`extension, ext, suffix, name extension, name suffix, endung,
  domainendung, domain endung, suffixe, sufijo, suffisso, estensione, extensie, extensao, sufixo, rozszerzenie, koncowka`);

const date = has("date datum day fecha data time on at am le el il");
const price = has(`price* cost costs fee fees amount preis kosten gebuhr prix cout tarif* precio
  importe coste costo prezzo prijs preco custo`);
const renewal = has(`renew* recurring verlanger* renouvel* renov* rinnov* verleng* reconduction`);
const yearly = has(`annual* yearly year jahr jahrlich* annuel* an anual ano annuo annuale jaar
  jaarlijks*`);
const monthly = has("month* monat* mensuel* mensual* mensile mois mes mese maand*");
/** For several years, as in "2 year renewal price". */
const longer: HeaderTest = (folded) =>
  /\b(?:[2-9]|10) ?(?:y|yr|yrs|years?|jahre|ans)\b/.test(folded);
const subunit = has("cent cents minor pence centimes centavos centesimi");
const first = has("first 1st 1 intro* promo* erstes ersten premiere primer primo eerste");
const automatic = has("auto auto* automat*");
const autoRenew = has("autorenew* autoverlanger* autoverleng*");
/** A yes under it means no. */
const off = has("off disabl* cancel* stop* opt_out deaktiv* desactiv* not do_not dont");
const expiry = has(`expir* exp exp_date ablauf* lauft_ab echeance vencim* vence caduc* scaden* scade
  verloop* verval* validade valid_until valid_till valid_to valid_thru paid_until paid_till
  paid_thru* paid_through registered_until active_until gultig_bis bezahlt_bis date_de_fin
  lauft_bis laufzeit_bis laufzeitende vertragsende fin_de_validite valable_jusqu* valido_hasta valido_fino valido_ate geldig_tot einddatum end_date registry_ends
  enddatum data_de_fim fecha_de_fin`);
const begun = has(`creat* cree registered registration registriert registrierung* angelegt anlage*
  erstell* enregistrement inscription registr* creado alta creacion crea* aangemaakt aanmaak*
  criacao criado`);
const bought = has(`purchas* bought acqui* kauf* gekauft achat achete compra* comprado acquisto
  acquistat* aankoop* gekocht`);
const sold = has(
  `sold verkauf* vendu* vente vendido venta venduto vendita verkocht verkoop* venda`,
);
const offered = has(`asking bin buy_now buy_it_now angebotspreis vraagprijs`);
const paid = has("price* value amount cost costs paid for preis prix precio prezzo prijs preco");
/** Days of anything but a registration, a purchase or a sale. */
const otherEvent = has(`inserted added update* modifi* changed transferred ownership delet* renewed
  verlangert renouvele renovado rinnovato verlengd sale listed listing lead leads payment inquiry
  parked verified offered viewed`);
const money = has("currency wahrung devise moneda divisa valuta moeda monnaie");
const elsewhere = has(`timestamp day days hours tage jours dias giorni dagen ssl certificate hosting
  protection privacy notice reminder alert grace redemption source last auction lease* rental`);
const technical = has(`nameserver* name_server* dns* ns lock* status statuses state forward*
  redirect*`);
const trade =
  has(`estimated valuation wholesale asking minimum buy bin sale sold offer setup restore
  transfer registration purchase initial miscellaneous whois`);

/**
 * The words of English, German, French, Spanish, Italian, Dutch and Portuguese exports, without
 * diacritics. The order matters: the first rule whose test holds decides.
 */
const WESTERN_RULES: readonly HeaderRule[] = [
  unused(is("#, no, nr, id, index, row, domain id")),
  unused(any(isSecondLevelHeader, isTopLevelHeader, isExtensionHeader)),

  // Before what says "protection", "purchase" or "status" of anything else.
  high(
    "privacy",
    is(`privacy, whois privacy, domain privacy, privacy protection, privacy status, whois protection,
    id protection, whoisguard, whois guard, private, private registration, datenschutz`),
  ),
  high(
    "locked",
    is(`lock, locked, is locked, lock status, transfer lock, transfer locked, registrar lock,
    registrarlock, domain lock, gesperrt, transfersperre, verrouille, bloqueado, bloccato,
    vergrendeld`),
  ),
  high(
    "nameservers",
    all(
      any(
        has("nameserver nameservers name_server name_servers"),
        is("dns servers, dns server, ns"),
      ),
      (folded) => !/\b(?:type|count|number|status|provider|group|template)\b/.test(folded),
    ),
  ),
  high("nameservers", (folded) =>
    /^(?:ns|dns|dns server|nameserver|name server) ?\d{1,2}$/.test(folded),
  ),
  high("purchaseCurrency", all(bought, money)),
  high("soldCurrency", all(sold, money)),
  high("askingCurrency", all(offered, money)),
  high(
    "purchasePrice",
    any(
      all(bought, paid),
      is("price paid, amount paid, paid for it, paid for, kaufpreis, aankoopprijs"),
    ),
  ),
  high("soldPrice", any(all(sold, paid), is("verkaufspreis, verkoopprijs"))),
  high("askingPrice", any(all(offered, paid), is("asking, bin, buy now, buy it now"))),

  unused(elsewhere),
  unused(is("estimated value, minimum offer")),
  unused(all(trade, any(price, has("value")), (folded) => !renewal(folded))),
  unused(all(price, any(monthly, longer, subunit))),
  unused(all(price, first, (folded) => !renewal(folded))),
  unused(has("drop* eligible")),
  unused(all(automatic, renewal, any(has("date datum fecha data"), price))),
  unused(all(any(automatic, autoRenew), off)),

  // Before everything else that says "renew", and before "status".
  high("autoRenew", any(all(automatic, renewal), autoRenew)),
  low(
    "autoRenew",
    is(`renewal status, renew status, renewal mode, renew mode, renewal setting, renewal modus,
    renewal type, renewal option, renew option, renew, renews, auto`),
  ),
  high(
    "status",
    is(`status, statuses, domain status, state, registration status, registration state, epp status,
    epp statuses, registrar status, estado, stato, statut, zustand`),
  ),
  unused(technical),

  high("renewalPrice", all(any(renewal, yearly), price)),
  high(
    "renewalPrice",
    has("verlangerungspreis verlangerungsgebuhr jahrespreis jahresgebuhr verlengingsprijs"),
  ),
  high(
    "currency",
    all(money, (folded) => /^(\S+ ){0,2}\S+$/.test(folded)),
  ),
  low("renewalPrice", all(any(price, renewal), has("eur usd gbp chf cad aud jpy"))),
  low(
    "renewalPrice",
    is(`price, cost, costs, fee, fees, amount, preis, kosten, gebuhr, prix, cout,
    tarif, precio, coste, costo, prezzo, prijs, preco, custo, tarifa`),
  ),
  high(
    "years",
    is(`years, year, renewal years, renewal period, renewal term, period, term, terms, cycle, billing cycle, billing period,
    term years, term in years, jahre, laufzeit, laufzeit in jahren, duree, annees, anos, duracion,
    anni, durata, jaren, looptijd, prazo, duracao`),
  ),

  high("expires", any(expiry, is("ends, ends at, ends on"))),
  unused(all(otherEvent, date)),
  unused(is("inserted, added, updated, modified, parked since")),
  high("purchasedOn", any(all(bought, date), is("purchased, bought, acquired, kaufdatum"))),
  high("soldOn", any(all(sold, date), is("verkaufsdatum"))),
  low("soldOn", is("sold, verkauft, vendu")),
  high(
    "registeredOn",
    any(
      all(begun, date),
      is(`created, creation, registered, registriert, erstellt, angelegt, cree, creado, criado,
      creato, aangemaakt, registrierungsdatum, erstelldatum, erstellungsdatum, anlagedatum,
      registratiedatum, aanmaakdatum`),
    ),
  ),
  low(
    "expires",
    all(renewal, has("date datum fecha data day by on due next nachste verlangerungsdatum")),
  ),
  low(
    "expires",
    is(`renewal, renews on, next due, next due date, due, due date, renew by,
    verlangerungsdatum, verlengingsdatum, verlangerung, renouvellement, renovacion, rinnovo`),
  ),

  high(
    "registrar",
    is(`registrar, registrar name, domain registrar, current registrar,
    sponsoring registrar, domainregistrar, registrador, registrador de dominio, registratore,
    bureau d enregistrement, registrar actuel, registrar attuale`),
  ),
  low(
    "registrar",
    is(`provider, anbieter, prestataire, fournisseur, proveedor, provedor, fornitore,
    aanbieder, hoster`),
  ),
  high(
    "account",
    is(`account, accounts, account name, account id, account number, account username,
    account login, registrar account, registrar account name, registrar account username,
    registrar login, konto, kontoname, kontonummer, compte, nom du compte, cuenta, nombre de cuenta,
    nombre de la cuenta, conta, nome da conta, nome account, accountnaam`),
  ),
  low(
    "account",
    is(`username, user name, login, user, benutzer, benutzername, utilisateur, usuario,
    utente, gebruiker, gebruikersnaam, customer id, customer number, kundennummer, profile name`),
  ),
  high(
    "owner",
    is(`owner, owners, owner name, account owner, registrar account owner, eigentumer,
    besitzer, proprietaire, propietario, proprietario, eigenaar`),
  ),
  low(
    "owner",
    is(`client, clients, client name, customer, customer name, kunde, kunden, cliente,
    klant, team, responsible, verantwortlich, stakeholder, responsable`),
  ),
  high("decision", is("decision, entscheidung, beslissing, decisione, decisao")),
  high(
    "tags",
    is(`tag, tags, label, labels, schlagwort, schlagworte, schlagworter, etikett,
    etiketten, etiqueta, etiquetas, etiquette, etiquettes, etichetta, etichette, marcadores`),
  ),
  low(
    "tags",
    is(`folder, folders, folder memberships, folder name, group, groups, group name,
    category, categories, portfolio, kategorie, kategorien, gruppe, gruppen, ordner, dossier,
    dossiers, categorie, groupe, groupes, carpeta, carpetas, categoria, categorias, grupo, grupos,
    cartella, cartelle, gruppo, gruppi, map, mappen, categorieen, groep, groepen, pasta, pastas,
    project, projects, projekt, projekte`),
  ),
  high(
    "notes",
    is(`note, notes, comment, comments, remark, remarks, memo, notiz, notizen, bemerkung,
    bemerkungen, kommentar, kommentare, anmerkung, anmerkungen, remarque, remarques, commentaire,
    commentaires, nota, notas, comentario, comentarios, observacion, observaciones, osservazioni,
    commento, commenti, opmerking, opmerkingen, notitie, notities, observacao, observacoes`),
  ),
  low(
    "notes",
    is(`description, beschreibung, descripcion, descrizione, omschrijving, descricao,
    purpose, zweck`),
  ),

  // The name comes last: "domain" is in many headers.
  spelling(
    has(`punycode ace idn idna international internationalized internationalised unicode utf
    utf8 native u_label a_label ascii`),
  ),
  high(
    "name",
    is(`domain, domains, domain name, domain names, domain name s, domainname, domainnames,
    domane, domanen, domanenname, name der domain, fqdn, ndd, nom de domaine, noms de domaine,
    domaine, domaines, dominio, dominios, nombre de dominio, nombre del dominio, nombres de dominio,
    nome dominio, nome di dominio, nome del dominio, nomi di dominio, domini, domeinnaam,
    domeinnamen, domein, domeinen, nome de dominio, nome do dominio`),
  ),
  low(
    "name",
    is(`name, names, nom, nombre, nome, naam, host, hostname, host name, url, site, sites,
    website, web site, zone, asset, product, product name, produkt, item`),
  ),
];

const polishRenewal = has("odnow* odnaw* przedłuż*");
const polishPrice = has("cena koszt koszty opłata kwota");

/** The words of Polish exports. */
const POLISH_RULES: readonly HeaderRule[] = [
  unused(has("certyfikat* hosting* serwer* blokada stan zakup* aktualizacj*")),
  unused(has("transfer* miesi*")),
  high("registeredOn", all(has("rejestracji zarejestrowan* utworz*"), has("data"))),
  unused(has("rejestracji rejestracja zarejestrowan* utworz*")),
  high("autoRenew", any(all(has("auto automat*"), polishRenewal), has("autoodn* autoprzedł*"))),
  high("renewalPrice", all(polishPrice, any(polishRenewal, has("roczna roczny rok rocznie")))),
  low("renewalPrice", polishPrice),
  high("currency", is("waluta")),
  high("years", is("okres, lata, liczba lat, okres odnowienia")),
  high("expires", has("wygaś* ważnoś* ważna_do ważne_do ważny_do opłacon*_do koniec_okresu")),
  low("expires", polishRenewal),
  high("registrar", is("rejestrator, nazwa rejestratora")),
  low("registrar", is("dostawca, operator")),
  high("owner", is("właściciel")),
  low("owner", is("klient, dział")),
  high("tags", is("tagi, etykieta, etykiety")),
  low("tags", is("grupa, grupy, kategoria, kategorie, projekty")),
  high("notes", is("uwagi, uwaga, notatka, notatki, komentarz, komentarze")),
  low("notes", is("opis")),
  high("name", is("domena, domeny, nazwa domeny, nazwy domen")),
  low("name", is("nazwa, adres www, strona")),
];

/**
 * The words of Japanese exports. 更新日 is left out: it may be the day of the renewal or that of the
 * last change.
 */
const JAPANESE_RULES: readonly HeaderRule[] = [
  high("nameservers", has("*ネームサーバ*")),
  unused(has("*ssl* *証明書* *サーバ* *カード* *whois* *初年* *初回* *月額* *移管* *取得*")),
  unused(has("*作成日* *更新日時* *最終更新* *自動更新日* *自動更新料*")),
  unused(is("種別, 番号")),
  high("registeredOn", has("*登録日* *登録年月日*")),
  high("status", is("状態, ステータス")),
  high("autoRenew", has("*自動更新*")),
  high("renewalPrice", all(has("*更新* *年間* *年額*"), has("*料* *費* *価格* *金額* *年額*"))),
  low("renewalPrice", is("料金, 価格, 金額, 費用")),
  high("currency", is("通貨")),
  high("years", is("年数, 契約年数, 更新年数")),
  high("expires", has("*有効期限* *満了日* *失効日* *利用期限*")),
  high("registrar", is("レジストラ, レジストラー, 登録業者")),
  low("registrar", is("管理会社, 事業者")),
  high("account", is("アカウント, アカウント名")),
  high("owner", is("所有者, オーナー")),
  low("owner", is("担当者, 担当部署, 部署, 顧客, 顧客名")),
  high("tags", is("タグ, ラベル")),
  low("tags", is("グループ, フォルダ, フォルダー, カテゴリ, カテゴリー")),
  high("notes", is("備考, メモ, コメント")),
  low("notes", is("説明, 用途")),
  high("name", is("ドメイン, ドメイン名, ドメインネーム")),
];

/** What headers mean, by rank: the first rule whose test holds decides. */
const HEADER_RULES: readonly HeaderRule[] = [...WESTERN_RULES, ...POLISH_RULES, ...JAPANESE_RULES];

/** A header of a place where names are sold. */
export const isMarketHeader =
  has(`bin buy_now buy_it_now asking minimum_offer min_offer offer offers views visitors
  listed floor reserve appraisal lease auction* marketplace angebot* gebot* besucher offre offres visite* oferta*`);
