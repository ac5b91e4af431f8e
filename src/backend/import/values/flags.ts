import type { FieldOf } from "../../../shared/fields.ts";
import { isNullValue } from "./cell-shapes.ts";

const ON = new Set(
  [
    "yes y true t on 1 ✓ ✔ enabled enable active activated auto automatic automatically autorenew",
    "ja j wahr an ein aktiv aktiviert automatisch eingeschaltet",
    "oui o vrai active activee automatique si s sim verdadero vero verdadeiro",
    "activo activado activada automatico automatica attivo attivato ativo ativado ativada",
    "waar aan actief ingeschakeld ligado",
    "tak włączone włączona włączony włącz aktywne aktywna aktywny automatyczne automatyczna",
    "はい 有効 オン する あり 設定済み 設定あり 自動 自動更新 自動更新する 設定する",
  ].flatMap((words) => words.split(" ").map(fold)),
);
const OFF = new Set(
  [
    "no n false f off 0 disabled disable inactive deactivated manual manually",
    "nein falsch aus inaktiv deaktiviert manuell",
    "non faux inactif inactive desactive desactivee manuel manuelle",
    "falso inactivo desactivado desactivada manual manuale non disattivo disattivato disattivata",
    "nao inativo desativado desativada nee onwaar uit inactief uitgeschakeld handmatig desligado",
    "nie wyłączone wyłączona wyłączony nieaktywne nieaktywna nieaktywny ręczne ręcznie autoexpire",
    "autodelete いいえ 無効 オフ しない なし 未設定 設定なし 手動 手動更新 自動更新しない 設定しない",
  ].flatMap((words) => words.split(" ").map(fold)),
);
const ON_PHRASES = `auto renew, auto renewal, auto renew on, automatic renewal, renew automatically`;
const OFF_PHRASES = `auto renew off, do not renew, don't renew, no renew, no renew option,
  no auto renew, not enabled, manual renewal, renew manually, nicht verlängern,
  ne pas renouveler, no renovar, non rinnovare, niet verlengen, não renovar`;
const PHRASES: ReadonlyMap<string, boolean> = new Map([
  ...ON_PHRASES.split(",").map((phrase) => [fold(phrase), true] as const),
  ...OFF_PHRASES.split(",").map((phrase) => [fold(phrase), false] as const),
]);

const MAX_FLAG_LENGTH = 40;

/** Words that mean on or off under one field only. */
const FIELD_WORDS: { readonly [F in FieldOf<"flag">]?: Readonly<Record<string, boolean>> } = {
  locked: { locked: true, unlocked: false, gesperrt: true, entsperrt: false },
  privacy: {
    full: true,
    partial: true,
    private: true,
    protected: true,
    none: false,
    public: false,
  },
};

/**
 * Reads on or off, in English, German, French, Spanish, Italian, Dutch, Portuguese, Polish or
 * Japanese; null for no value. Anything else, such as `pending`, is unreadable rather than "off".
 */
export function parseFlag(
  text: string,
  field?: FieldOf<"flag">,
): boolean | null | { reason: string } {
  if (text.length <= MAX_FLAG_LENGTH) {
    const word = fold(text);
    const words = (field && FIELD_WORDS[field]) ?? {};
    const phrase = Object.hasOwn(words, word) ? words[word] : PHRASES.get(word);
    if (phrase !== undefined) return phrase;
    if (ON.has(word)) return true;
    if (OFF.has(word)) return false;
  }
  if (isNullValue(text)) return null;
  return { reason: "This isn't yes or no" };
}

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[-_'’.\s]+/g, " ")
    .trim();
}
