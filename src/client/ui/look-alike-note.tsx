import { findLookAlikes } from "./look-alike.ts";

/** Says of a name that it can be mistaken for another. A script of its own: few registers have such. */
export default function LookAlikeNote({ unicode }: { unicode: string }) {
  return findLookAlikes(unicode).length > 0 && <b>Possible lookalike · </b>;
}
