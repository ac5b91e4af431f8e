import { findLookAlikes } from "./look-alike.ts";
import "./ascii-name.css";

/**
 * The ASCII form of an internationalised domain name, with a warning where the Unicode form can be
 * mistaken for another name. Renders nothing where both forms are the same.
 */
export function AsciiName({ name, unicode }: { name: string; unicode: string }) {
  if (name === unicode) return null;
  return (
    <code className="ascii-name">
      {findLookAlikes(unicode).length > 0 && <b>Possible lookalike · </b>}
      {name}
    </code>
  );
}
