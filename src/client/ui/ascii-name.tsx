import { lazyCode } from "./lazy-code.ts";

/** A warning beside a name, if it looks like another one. */
export const LookAlikeNote = lazyCode(() => import("./look-alike.tsx"), null);

/** The ASCII form of an internationalised name, with a warning if it looks like another name. */
export function AsciiName({ name, unicode }: { name: string; unicode: string }) {
  if (name === unicode) return null;
  return (
    <code className="ascii-name">
      <LookAlikeNote unicode={unicode} /> {name}
    </code>
  );
}
