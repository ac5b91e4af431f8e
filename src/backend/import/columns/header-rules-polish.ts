import { known, strong, weak, type HeaderRule } from "./header-rule.ts";
import { all, any, has, is } from "./header-test.ts";

const renewal = has("odnow* odnaw* przedłuż*");
const price = has("cena koszt koszty opłata kwota");

/** The words of Polish exports. */
export const POLISH_RULES: readonly HeaderRule[] = [
  known(has("certyfikat* hosting* serwer* blokada stan utworz* zakup* aktualizacj*")),
  known(has("rejestracji rejestracja zarejestrowan* transfer* miesi*")),
  strong("autoRenew", all(has("auto automat*"), renewal)),
  strong("autoRenew", has("autoodn* autoprzedł*")),
  strong("renewalPrice", all(price, any(renewal, has("roczna roczny rok rocznie")))),
  weak("renewalPrice", price),
  strong("currency", is("waluta")),
  strong("years", is("okres, lata, liczba lat, okres odnowienia")),
  strong("expires", has("wygaś* ważnoś* ważna_do ważne_do ważny_do opłacon*_do koniec_okresu")),
  weak("expires", renewal),
  strong("registrar", is("rejestrator, nazwa rejestratora")),
  weak("registrar", is("dostawca, operator")),
  strong("owner", is("właściciel")),
  weak("owner", is("klient, dział")),
  strong("tags", is("tagi, etykieta, etykiety")),
  weak("tags", is("grupa, grupy, kategoria, kategorie, projekty")),
  strong("notes", is("uwagi, uwaga, notatka, notatki, komentarz, komentarze")),
  weak("notes", is("opis")),
  strong("name", is("domena, domeny, nazwa domeny, nazwy domen")),
  weak("name", is("nazwa, adres www, strona")),
];
