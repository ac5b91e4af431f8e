import { isNone } from "./none-words.ts";

const ON = new Set(
  [
    "yes y true t on 1 ✓ ✔ enabled enable active activated auto automatic automatically autorenew",
    "ja j wahr an ein aktiv aktiviert automatisch eingeschaltet",
    "oui o vrai active activee automatique si s sim verdadero vero verdadeiro",
    "activo activado activada automatico automatica attivo attivato ativo ativado ativada",
    "waar aan actief ingeschakeld ligado",
  ].flatMap((words) => words.split(" ")),
);
const OFF = new Set(
  [
    "no n false f off 0 disabled disable inactive deactivated manual manually",
    "nein falsch aus inaktiv deaktiviert manuell",
    "non faux inactif inactive desactive desactivee manuel manuelle",
    "falso inactivo desactivado desactivada manual manuale non disattivo disattivato disattivata",
    "nao inativo desativado desativada nee onwaar uit inactief uitgeschakeld handmatig desligado",
  ].flatMap((words) => words.split(" ")),
);
const PHRASES: ReadonlyMap<string, boolean> = new Map([
  ["auto renew", true],
  ["auto renewal", true],
  ["auto renew on", true],
  ["auto renew off", false],
  ["automatic renewal", true],
  ["renew automatically", true],
  ["do not renew", false],
  ["don t renew", false],
  ["no renew", false],
  ["no auto renew", false],
  ["not enabled", false],
  ["manual renewal", false],
  ["renew manually", false],
  ["nicht verlangern", false],
  ["ne pas renouveler", false],
  ["no renovar", false],
  ["non rinnovare", false],
  ["niet verlengen", false],
  ["nao renovar", false],
]);

const MAX_TEXT = 40;

/**
 * Whether a cell says on or off, in English, German, French, Spanish, Italian, Dutch or Portuguese;
 * null says nothing. Anything else, such as `pending`, is a fault: it is not read as "off".
 */
export function parseFlag(text: string): boolean | null | { reason: string } {
  if (isNone(text)) return null;
  if (text.length <= MAX_TEXT) {
    const word = fold(text);
    const phrase = PHRASES.get(word);
    if (phrase !== undefined) return phrase;
    if (ON.has(word)) return true;
    if (OFF.has(word)) return false;
  }
  return { reason: "Expected yes or no, on or off" };
}

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[-_'’.\s]+/g, " ")
    .trim();
}
