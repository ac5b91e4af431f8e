import { findLookAlikes } from "../ui/look-alike.ts";

/** A name in ASCII where people write it otherwise, marked where it passes for another. */
export function AsciiForm({ name, unicode }: { name: string; unicode: string }) {
  if (name === unicode) return null;
  return (
    <code>
      {findLookAlikes(unicode).length > 0 && <b>looks like another · </b>}
      {name}
    </code>
  );
}
