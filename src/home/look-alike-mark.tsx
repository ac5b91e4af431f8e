import { findLookAlikes } from "../ui/look-alike.ts";

/** Says in words that a name passes for another; nothing where it does not. */
export default function LookAlikeMark({ unicode }: { unicode: string }) {
  return findLookAlikes(unicode).length > 0 && <b>looks like another · </b>;
}
