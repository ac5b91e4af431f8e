import { foldLabel } from "../../shared/text.ts";
import registrars from "./known-registrars.json" with { type: "json" };

/** What companies put behind their names. */
const LEGAL_FORM =
  /[\s,]+(?:llc|l\.l\.c\.?|inc|ltd|limited|corp|corporation|gmbh|ag|se|sas|s\.a\.s|sa|s\.a|b\.?v|ab|s\.?p\.?a|co)\.?$/;

const BY_NAME = new Map(
  registrars.flatMap(({ name, url, also }) =>
    [name, ...also].map((each) => [plainName(each), { name, url }] as const),
  ),
);

export const KNOWN_REGISTRARS: readonly string[] = registrars.map(({ name }) => name);

/** Finds a registrar by its name, legal form or not, or its site; its customers manage their domains at `url`. */
export function findKnownRegistrar(label: string): { name: string; url: string } | null {
  return BY_NAME.get(plainName(label)) ?? null;
}

/** Whether two names, such as "GoDaddy.com, LLC" and "GoDaddy", are of one registrar. */
export function isSameRegistrar(one: string, other: string): boolean {
  const nameOf = (label: string) => foldLabel(findKnownRegistrar(label)?.name ?? label);
  const [a, b] = [nameOf(one), nameOf(other)];
  return a === b || [" ", "."].some((end) => a.startsWith(b + end) || b.startsWith(a + end));
}

function plainName(label: string): string {
  const site = foldLabel(label).replace(/^(?:https?:\/\/)?(?:www\.)?/, "");
  return site.replace(LEGAL_FORM, "").replace(/[^\p{L}\p{N}]+/gu, "");
}
