import type { Mapping } from "../columns/field.ts";
import { plainHeader } from "../columns/header-text.ts";
import { dnsimple } from "./dnsimple.ts";
import { dynadot } from "./dynadot.ts";
import { freehold } from "./freehold.ts";
import { godaddy } from "./godaddy.ts";
import type { Layout, Signature } from "./layout.ts";
import { namecheap } from "./namecheap.ts";
import { namecom } from "./namecom.ts";
import { ovh } from "./ovh.ts";
import { porkbun } from "./porkbun.ts";
import { sedo } from "./sedo.ts";

/** Every layout that is known by its header. */
export const LAYOUTS: readonly Layout[] = [
  freehold,
  godaddy,
  namecheap,
  porkbun,
  dynadot,
  namecom,
  ovh,
  dnsimple,
  sedo,
];

/** The layout that a header row belongs to, or null: then the mapping is proposed. */
export function findLayout(header: readonly string[]): Layout | null {
  const found = header.map(plainHeader).filter((each) => each !== "");
  return LAYOUTS.find(({ signatures }) => signatures.some((each) => fits(found, each))) ?? null;
}

/** What each column of a file in this layout means. */
export function mapLayout(layout: Layout, header: readonly string[]): Mapping {
  const columns = new Map(Object.entries(layout.columns));
  return header.map((each) => {
    const plain = plainHeader(each);
    const field = columns.get(plain) ?? "ignore";
    columns.delete(plain);
    return field;
  });
}

function fits(found: readonly string[], signature: Signature): boolean {
  if ("all" in signature) return signature.all.every((each) => found.includes(each));
  const { exactly } = signature;
  return found.length === exactly.length && exactly.every((each) => found.includes(each));
}
