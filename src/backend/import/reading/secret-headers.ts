import { foldMarks } from "./header-matchers.ts";

/**
 * Folded headers of columns that are never read, in all nine languages. Too many is safer than too
 * few: such a column holds nothing for the register.
 */
export const SECRET_HEADERS: readonly RegExp[] = [
  // Passwords, keys and tokens.
  /\b(pass(word|wort|phrase|code|wd)?s?|pwd?|kennwort|mot de passe|contrasena|wachtwoord|senha|pin|secrets?|tokens?|credentials?)\b/,
  /\b(password|passwort|schlussel|apikey|licence|license)/,
  /\b(keys?|cles?|clave|chiave|sleutel|chave)\b/,
  // Codes that move a name to another registrar.
  /\bauth(?!orit)/,
  /\bepp(?! status)/,
  /\b(autori[sz]\w*|autorisierung\w*)\b/,
  /\b(transfer|transfert|transferencia|trasferimento|umzug\w*|verhuis\w*)\s?(code|codigo|codice|key|schlussel|pw|id)/,
  /\b(code|codigo|codice)( (de|di|d|del|da|do))* ?(transfert?|transferencia|trasferimento)/,
  /^(code|codes|authinfo|kk)$/,
  // People: registrant, contacts, how to reach them.
  /\b(registrants?|registrante|registratario|registrierter|inhaber\w*|domaininhaber|halter|titulaire|titular|titolare|intestatario|houder|holder)\b/,
  /\b(contacts?|kontakte?|ansprechpartner|contacto|contatto|contato|contactpersoon)\b/,
  /\b(admin|adminc|administrati\w+|administrateur|administrador|amministra\w+|tech|techc|technical|technisch\w*|technique|tecnic[oa]|zonec)\b/,
  /\b(admin|tech|zone|owner|billing) c\b/,
  /\b(billing(?! (?:cycle|period))|rechnungs\w*|facturation|facturacion|fatturazione|factur\w+|fatura\w*|cobranca)\b/,
  /\be? ?mails?\b|\bemail|\b(courriel|correo|posta elettronica)\b/,
  /\b(phones?|tel|telefon\w*|telephone|telefoon\w*|mobile?|handy\w*|fax\w*|movil|celular|cellulare)\b/,
  /\b(first|last|full|middle|given|family|sur) ?name\b|\b(vor|nach|achter|voor)na(a?)men?\b|\b(vorname|nachname|prenom|apellidos?|cognome|sobrenome|voornaam|achternaam)\b/,
  /\b(street|strasse|rue|calle|straat|via|rua|zip|plz|postcode|postal|postleitzahl|cap|city|ort|stadt|ville|ciudad|citta|cidade|plaats|iban|vat|birth\w*|geburt\w*|passport)\b/,
  // Polish and Japanese, where \b does not find the ends of words.
  /(?:^| )(hasł|klucz|kod( |$)|abonent|imie( |$)|nazwisk|ulica|miasto|pesel|nip( |$)|rejestrujac)/,
  new RegExp(
    foldMarks(
      "パスワード|暗証|認証|オースコード|登録者|連絡先|担当者(?:メール|電話)|メール|電話|住所|氏名|郵便番号|請求先|管理者|窓口",
    ),
  ),
  // Postal addresses; an IP or web address is no person's.
  /(?<!\b(?:ip|ipv4|ipv6|web) )\b(address(es)?|adressen?|anschrift|adresses?|direccion|indirizzo|adres|endereco|morada)\b/,
];
