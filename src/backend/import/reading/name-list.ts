import { isDomainLike, isNameserverLike } from "../values/domain-like.ts";
import type { TextRecord } from "./records.ts";

const LOOKED_AT = 200;

/** Whether a line of a bare list says nothing to the register: `# comment`, as in a hosts file. */
export function isComment(line: string): boolean {
  return line.trimStart().startsWith("#");
}

/**
 * The names of one line of a bare list: one, or several with commas, semicolons, tabs, bars or
 * blanks between them. A line that is no list stays one text, to be refused as a whole.
 */
export function splitNames(line: string): string[] {
  const texts = line.split(/[,;|\t]/).map(unquote);
  return texts
    .filter((text) => text !== "")
    .flatMap((text) => {
      const words = text.split(/\s+/).map(unquote);
      return words.every(isDomainLike) ? words : [text];
    });
}

/** Whether most lines are nothing but names, so that this is no table. */
export function isNameList(lines: readonly TextRecord[]): boolean {
  const said = lines.map(({ cells }) => cells[0] ?? "").filter((line) => line.trim() !== "");
  const looked = said.filter((line) => !isComment(line)).slice(0, LOOKED_AT);
  const lists = looked.filter((line) => splitNames(line).every(isDomainLike));
  // A row of a table may be a name and its nameservers: nobody owns those by importing it.
  const servers = lists.some((line) => splitNames(line).slice(1).some(isNameserverLike));
  return lists.length > 0 && lists.length * 2 >= looked.length && !servers;
}

function unquote(text: string): string {
  return text
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2")
    .trim();
}
