import { JAPANESE_RULES } from "./header-rules-japanese.ts";
import { POLISH_RULES } from "./header-rules-polish.ts";
import { known, spelling, strong, weak, type HeaderRule } from "./header-rule.ts";
import { all, any, has, is, type HeaderTest } from "./header-test.ts";
import { foldHeader } from "./header-text.ts";
import { isNamePartHeader } from "./name-part-headers.ts";

/*
 * The words that English, German, French, Spanish, Italian, Dutch and Portuguese exports use,
 * without diacritics. Other languages have files of their own.
 */
const date = has("date datum day fecha data time on at am le el il");
const price = has(`price* cost costs fee fees amount preis kosten gebuhr prix cout tarif* precio
  importe coste costo prezzo prijs preco custo`);
const renewal = has(`renew* recurring verlanger* renouvel* renov* rinnov* verleng* reconduction`);
const yearly = has(`annual* yearly year jahr jahrlich* annuel* an anual ano annuo annuale jaar
  jaarlijks*`);
const monthly = has("month* monat* mensuel* mensual* mensile mois mes mese maand*");
/** Of more years than one, as in "2 year renewal price". */
const longer: HeaderTest = (folded) =>
  /\b(?:[2-9]|10) ?(?:y|yr|yrs|years?|jahre|ans)\b/.test(folded);
const subunit = has("cent cents minor pence centimes centavos centesimi");
const first = has("first 1st 1 intro* promo* erstes ersten premiere primer primo eerste");
const automatic = has("auto auto* automat*");
/** A yes under it says no. */
const off = has("off disabl* cancel* stop* opt_out deaktiv* desactiv* not do_not dont");
const expiry = has(`expir* exp exp_date ablauf* lauft_ab echeance vencim* vence caduc* scaden* scade
  verloop* verval* validade valid_until valid_till valid_to valid_thru paid_until paid_till
  paid_thru* paid_through registered_until active_until gultig_bis bezahlt_bis date_de_fin
  lauft_bis laufzeit_bis laufzeitende vertragsende fin_de_validite valable_jusqu* valido_hasta valido_fino valido_ate geldig_tot einddatum end_date registry_ends
  enddatum data_de_fim fecha_de_fin`);
const begun = has(`creat* cree registered registration registriert registrierung* angelegt anlage*
  erstell* enregistrement inscription achat registr* creado alta compra creacion crea* acquisto
  aangemaakt aanmaak* criacao criado inserted added purchase* acquired update* modifi* changed
  transferred ownership delet* kauf* renewed verlangert renouvele
  renovado rinnovato verlengd`);
const elsewhere = has(`timestamp day days hours tage jours dias giorni dagen ssl certificate hosting
  protection privacy notice reminder alert grace redemption source last auction`);
const technical = has(`nameserver* name_server* dns* ns lock* status statuses state forward*
  redirect* gesperrt verrouille bloqueado bloccato vergrendeld`);
const trade =
  has(`estimated valuation wholesale asking minimum buy bin sale sold offer setup restore
  transfer registration purchase initial miscellaneous whois`);

/** In order: the first whose test holds counts. */
export const HEADER_RULES: readonly HeaderRule[] = [
  // Understood, but nothing that a domain of the register holds.
  known(is("#, no, nr, id, index, row, domain id")),
  known(isNamePartHeader),
  known(elsewhere),
  known(is("estimated value, minimum offer, buy it now")),
  known(all(trade, any(price, has("value")), (folded) => !renewal(folded))),
  known(all(price, any(monthly, longer, subunit))),
  known(all(price, first, (folded) => !renewal(folded))),
  known(has("drop* eligible")),
  known(all(automatic, renewal, any(has("date datum fecha data"), price))),
  known(all(any(automatic, has("autorenew* autoverlanger* autoverleng*")), off)),

  // Before everything else that says "renew", and before "status".
  strong("autoRenew", all(automatic, renewal)),
  strong("autoRenew", has("autorenew* autoverlanger* autoverleng*")),
  weak(
    "autoRenew",
    is("renewal status, renew status, renewal mode, renew mode, renewal setting, renewal modus"),
  ),
  weak("autoRenew", is("renewal type, renewal option, renew option, renew, renews, auto")),
  known(technical),

  strong("renewalPrice", all(renewal, price)),
  strong("renewalPrice", all(yearly, price)),
  strong(
    "renewalPrice",
    has("verlangerungspreis verlangerungsgebuhr jahrespreis jahresgebuhr verlengingsprijs"),
  ),
  strong(
    "currency",
    all(has("currency wahrung devise moneda divisa valuta moeda monnaie"), (folded) =>
      /^(\S+ ){0,2}\S+$/.test(folded),
    ),
  ),
  weak("renewalPrice", all(any(price, renewal), has("eur usd gbp chf cad aud jpy"))),
  weak(
    "renewalPrice",
    is(`price, cost, costs, fee, fees, amount, preis, kosten, gebuhr, prix, cout,
    tarif, precio, coste, costo, prezzo, prijs, preco, custo, tarifa`),
  ),
  strong(
    "years",
    is(`years, year, renewal years, renewal period, renewal term, period, term, terms, cycle, billing cycle, billing period,
    term years, term in years, jahre, laufzeit, laufzeit in jahren, duree, annees, anos, duracion,
    anni, durata, jaren, looptijd, prazo, duracao`),
  ),

  strong("expires", any(expiry, is("ends, ends at, ends on"))),
  known(all(begun, date)),
  known(
    is(`created, creation, registered, registriert, erstellt, angelegt, inserted, added, updated,
    modified, cree, creado, criado, creato, aangemaakt, purchased, acquired, registrierungsdatum,
    erstelldatum, erstellungsdatum, anlagedatum, kaufdatum, registratiedatum, aanmaakdatum`),
  ),
  weak(
    "expires",
    all(renewal, has("date datum fecha data day by on due next nachste verlangerungsdatum")),
  ),
  weak(
    "expires",
    is(`renewal, renews on, next due, next due date, due, due date, renew by,
    verlangerungsdatum, verlengingsdatum, verlangerung, renouvellement, renovacion, rinnovo`),
  ),

  strong(
    "registrar",
    is(`registrar, registrar name, domain registrar, current registrar,
    sponsoring registrar, domainregistrar, registrador, registrador de dominio, registratore,
    bureau d enregistrement, registrar actuel, registrar attuale`),
  ),
  weak(
    "registrar",
    is(`provider, anbieter, prestataire, fournisseur, proveedor, provedor, fornitore,
    aanbieder, hoster`),
  ),
  strong(
    "account",
    is(`account, accounts, account name, account id, account number, account username,
    account login, registrar account, registrar account name, registrar account username,
    registrar login, konto, kontoname, kontonummer, compte, nom du compte, cuenta, nombre de cuenta,
    nombre de la cuenta, conta, nome da conta, nome account, accountnaam`),
  ),
  weak(
    "account",
    is(`username, user name, login, user, benutzer, benutzername, utilisateur, usuario,
    utente, gebruiker, gebruikersnaam, customer id, customer number, kundennummer, profile name`),
  ),
  strong(
    "owner",
    is(`owner, owners, owner name, account owner, registrar account owner, eigentumer,
    besitzer, proprietaire, propietario, proprietario, eigenaar`),
  ),
  weak(
    "owner",
    is(`client, clients, client name, customer, customer name, kunde, kunden, cliente,
    klant, team, responsible, verantwortlich, stakeholder, responsable`),
  ),
  strong("decision", is("decision, entscheidung, beslissing, decisione, decisao")),
  strong(
    "tags",
    is(`tag, tags, label, labels, schlagwort, schlagworte, schlagworter, etikett,
    etiketten, etiqueta, etiquetas, etiquette, etiquettes, etichetta, etichette, marcadores`),
  ),
  weak(
    "tags",
    is(`folder, folders, folder memberships, folder name, group, groups, group name,
    category, categories, portfolio, kategorie, kategorien, gruppe, gruppen, ordner, dossier,
    dossiers, categorie, groupe, groupes, carpeta, carpetas, categoria, categorias, grupo, grupos,
    cartella, cartelle, gruppo, gruppi, map, mappen, categorieen, groep, groepen, pasta, pastas,
    project, projects, projekt, projekte`),
  ),
  strong(
    "notes",
    is(`note, notes, comment, comments, remark, remarks, memo, notiz, notizen, bemerkung,
    bemerkungen, kommentar, kommentare, anmerkung, anmerkungen, remarque, remarques, commentaire,
    commentaires, nota, notas, comentario, comentarios, observacion, observaciones, osservazioni,
    commento, commenti, opmerking, opmerkingen, notitie, notities, observacao, observacoes`),
  ),
  weak(
    "notes",
    is(`description, beschreibung, descripcion, descrizione, omschrijving, descricao,
    purpose, zweck`),
  ),

  // The name, last: "domain" is in many headers.
  spelling(
    has(`punycode ace idn idna international internationalized internationalised unicode utf
    utf8 native u_label a_label ascii`),
  ),
  strong(
    "name",
    is(`domain, domains, domain name, domain names, domain name s, domainname, domainnames,
    domane, domanen, domanenname, name der domain, fqdn, ndd, nom de domaine, noms de domaine,
    domaine, domaines, dominio, dominios, nombre de dominio, nombre del dominio, nombres de dominio,
    nome dominio, nome di dominio, nome del dominio, nomi di dominio, domini, domeinnaam,
    domeinnamen, domein, domeinen, nome de dominio, nome do dominio`),
  ),
  weak(
    "name",
    is(`name, names, nom, nombre, nome, naam, host, hostname, host name, url, site, sites,
    website, web site, zone, asset, product, product name, produkt, item`),
  ),
  ...POLISH_RULES,
  ...JAPANESE_RULES,
];

const market =
  has(`bin buy_now buy_it_now asking minimum_offer min_offer offer offers views visitors
  listed floor reserve appraisal lease auction* marketplace angebot* gebot* besucher offre offres visite* oferta*`);

/** Whether a header is one of a place where names are sold. */
export function isMarketHeader(header: string): boolean {
  return market(foldHeader(header));
}
