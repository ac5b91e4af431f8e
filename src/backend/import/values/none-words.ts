/** Words and marks that exporters write for "nothing". */
const NONE = new Set([
  ..."- -- --- – — . ? n/a na n.a. none null nil never undefined unknown unset".split(" "),
  ..."keine nie unbekannt jamais aucun inconnu nunca ninguno desconocido".split(" "),
  ..."nessuno sconosciuto nooit geen onbekend nenhum desconhecido brak nigdy (none) (empty)".split(
    " ",
  ),
  "not set",
  "not available",
  "keine angabe",
  "no expiry",
  "does not expire",
]);

/** Whether a cell says nothing: blank, a dash, `N/A`, `never` and the like. */
export function isNone(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === "" || (trimmed.length <= 20 && NONE.has(trimmed.toLowerCase()));
}
