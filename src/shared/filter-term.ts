export interface Term {
  not: boolean;
  /** `is` compares the whole, `contains` a part; `none` matches what has no value. */
  match: "is" | "contains" | "none";
  text: string;
}

/** `!` in front means "not"; `~gan` contains "gan"; `-` is no value; `=` takes the rest as is. */
export function parseTerm(value: string): Term {
  const not = value.startsWith("!");
  const rest = not ? value.slice(1) : value;
  if (rest === "-") return { not, match: "none", text: "" };
  if (rest.startsWith("~")) return { not, match: "contains", text: rest.slice(1) };
  return { not, match: "is", text: rest.startsWith("=") ? rest.slice(1) : rest };
}

/** The shortest text that `parseTerm` reads as this term. */
export function formatTerm({ not, match, text }: Term): string {
  const mark = { is: /^[!~=]|^-$/.test(text) ? "=" : "", contains: "~", none: "-" }[match];
  return `${not ? "!" : ""}${mark}${text}`;
}

/** The term of exactly this label; null: of none. */
export function labelTerm(label: string | null): string {
  return formatTerm({ not: false, match: label === null ? "none" : "is", text: label ?? "" });
}

export function parseNextDays(word: string): number | null {
  const days = /^next-([1-9]\d{0,3})$/.exec(word)?.[1];
  return days === undefined ? null : Number(days);
}

/** The bounds of `10..50`, `10..` and `..50`, both included; null for anything else. */
export function parsePriceRange(text: string): { from: number | null; to: number | null } | null {
  const [, from, to] = /^(\d{1,12}(?:\.\d{1,3})?)?\.\.(\d{1,12}(?:\.\d{1,3})?)?$/.exec(text) ?? [];
  if (from === undefined && to === undefined) return null;
  const boundOf = (bound?: string) => (bound === undefined ? null : Number(bound));
  return { from: boundOf(from), to: boundOf(to) };
}
