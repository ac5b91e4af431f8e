import { Suspense } from "react";
import { lazyCode } from "../lazy-code.ts";

/** Few registers hold such a name: what looks closer comes for those alone. */
const LookAlikeMark = lazyCode(() => import("./look-alike-mark.tsx"));

/** A name in ASCII where people write it otherwise, marked where it passes for another. */
export function AsciiForm({ name, unicode }: { name: string; unicode: string }) {
  if (name === unicode) return null;
  return (
    <code>
      <Suspense>
        <LookAlikeMark unicode={unicode} />
      </Suspense>
      {name}
    </code>
  );
}
