import type { Field } from "./field.ts";
import { HEADER_RULES } from "./header-rules.ts";
import { foldHeader } from "./header-text.ts";
import { isSecretHeader } from "./secret-columns.ts";

/**
 * What a header says of its column. `strong` names the field; a weak one means it only where no
 * strong one is there and the values agree. A `spelling` is the name in another form (Unicode,
 * punycode), `known` columns are understood and nothing for a domain, `secret` ones are never read.
 */
export type HeaderMeaning =
  | { kind: "field"; field: Field; strong: boolean }
  | { kind: "spelling" }
  | { kind: "known" }
  | { kind: "secret" };

/** Longer cells are sentences of a preamble; so are those of more words. */
const MAX_HEADER = 60;
const MAX_WORDS = 7;

/** What a header says, or null where it says nothing that is known. */
export function readHeader(header: string): HeaderMeaning | null {
  const folded = foldHeader(header);
  // A cell with separators in it is a whole row, looked at with the wrong one.
  if (folded === "" || folded.length > MAX_HEADER || /[;\t|]/.test(header)) return null;
  if (isSecretHeader(header)) return { kind: "secret" };
  if (folded.split(" ").length > MAX_WORDS) return null;
  const rule = HEADER_RULES.find(({ test }) => test(folded));
  if (!rule) return null;
  if (rule.means === "known" || rule.means === "spelling") return { kind: rule.means };
  return { kind: "field", field: rule.means, strong: rule.strong };
}
