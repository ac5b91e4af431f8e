/** What exporters write where they have no value. */
const NULL_VALUES = new Set([
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

/** Whether a cell holds no value: it is blank, a dash, `N/A`, `never` or the like. */
export function isNullValue(text: string): boolean {
  const trimmed = text.trim();
  return trimmed === "" || (trimmed.length <= 20 && NULL_VALUES.has(trimmed.toLowerCase()));
}
