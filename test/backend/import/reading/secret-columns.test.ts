import { describe, expect, test } from "bun:test";
import { readHeader } from "../../../../src/backend/import/reading/headers.ts";
import { importAll } from "../../../support/import-source.ts";

const SECRET = "hunter2-SECRET";

const HEADERS = [
  "Password, Hasło, Kod transferowy, Klucz API, Abonent, Imię i nazwisko, Numer telefonu",
  "パスワード, 認証コード, オースコード, 登録者名, メールアドレス, 電話番号, 住所, registrar_account_password, Passwort",
  "Kennwort, Mot de passe, Contraseña, Wachtwoord, Senha, Auth Code, AuthCode",
  "AUTH CODE CHANGED, authinfo, EPP Code, EPP-Key, Transfer Code, Transfercode",
  "Transferschlüssel, Code de transfert, Código de transferencia, Codice di trasferimento",
  "Verhuiscode, Autorisierungscode, Code d'autorisation, api_key, API Secret, Token",
  "Schlüssel, Clé, Clave, Sleutel, Chave, Registrant Name, Registrant Email, Inhaber",
  "Domaininhaber, Titulaire, Titular, Titolare, Houder, Admin Contact, Contact owner",
  "Technical Contact, Tech-C, Admin-C, Billing Contact, Kontakt, Contacto, Contatto, E-Mail",
  "Email, email_address, Owner Email, Courriel, Correo electrónico, Phone, Telefon",
  "Téléphone, Teléfono, Telefono, Fax, Handynummer, Address, Street Address, Adresse",
  "Anschrift, Dirección, Indirizzo, Adres, Endereço, ZIP, PLZ, First Name, Last name",
  "Vorname, Nachname, Prénom, Apellidos, Cognome, Voornaam, Sobrenome",
]
  .join(", ")
  .split(", ");

async function everything(text: string): Promise<string> {
  const { analysis, rows } = await importAll(text);
  return JSON.stringify({ analysis, rows });
}

describe("readHeader: columns that are never read", () => {
  test.each(HEADERS)("knows %j", (header) => expect(readHeader(header)?.kind).toBe("secret"));

  const others =
    "Domain, Expires, Owner, Account, Registrar, Auto-renew, Authoritative NS, IP address, " +
    "Renewal price, EPP status, Tags, Notes, Transfer lock, Name";
  test.each(others.split(", "))("has nothing against %j", (header) =>
    expect(readHeader(header)?.kind).not.toBe("secret"),
  );
});

describe("openFile: columns that are never read", () => {
  test.each([
    ["in its place", `a.example,${SECRET},2027-01-05,x`],
    ["behind a comma too many", `a.example,x,${SECRET},2027-01-05,x`],
    ["before a comma too many", `a.example,${SECRET},2027-01-05,x,y`],
    ["in a row with cells missing", `${SECRET},2027-01-05`],
    ["in the name of a row with cells missing", `${SECRET}`],
    ["behind a stray quote", `"a.example"x,${SECRET},2027-01-05,x`],
    ["under another header by a stray quote", `"a.example"x",${SECRET}",2027-01-05,x`],
    ["in a quote that is never closed", `"a.example,${SECRET},2027-01-05,x`],
    ["in a cell of two lines", `a.example,"${SECRET}\n${SECRET}",2027-01-05,x`],
  ])("keeps a secret out of all that is shown: %s", async (_, row) => {
    for (const header of ["Auth Code", "Passwort", "Code de transfert", "Registrant E-mail"]) {
      const text = `Domain,${header},Expires,Notes\nb.example,${SECRET},2027-01-05,x\n${row}\n`;
      expect(await everything(text)).not.toContain(SECRET);
    }
  });

  test("takes a column of addresses that nothing explains for contact data", async () => {
    const shown = await everything(
      "a.example,2027-01-05,pat@private.example\nb.example,2027-01-05,kim@private.example\n",
    );
    expect(shown).not.toContain("private");
  });
});
