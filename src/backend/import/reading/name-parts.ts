import { toAscii } from "../../domains/domain-name.ts";
import { isNone } from "../values/none-words.ts";

/** Two columns that say a name together: what is before its suffix, and that: `com`, `.co.uk`. */
export interface NameParts {
  label: number;
  suffix: number;
  /** Their headers say so; else a person is asked. */
  sure: boolean;
}

/**
 * The name that two cells say. One that ends in the suffix already is whole. Without a suffix there
 * is no valid name: "example.co" may lack a "uk".
 */
export function joinName(label: string, suffix: string): string {
  const name = label.trim().replace(/\.$/, "");
  const end = isNone(suffix) ? "" : suffix.trim().replace(/^\./, "");
  if (end === "") return name.includes(".") ? `${name}.?` : name;
  return name.includes(".") && endsIn(name, end) ? name : `${name}.${end}`;
}

/** Whatever the case and the spelling of an internationalised name. */
function endsIn(name: string, suffix: string): boolean {
  const [whole, end] = [toAscii(name), toAscii(suffix)];
  return whole !== null && end !== null && whole.endsWith(`.${end}`);
}
