import { Suspense } from "react";
import { lazyCode } from "./lazy-code.ts";

const LookAlikeNote = lazyCode(() => import("./look-alike.tsx"));

/** The ASCII form of an internationalised name, with a warning if it looks like another name. */
export function AsciiName({ name, unicode }: { name: string; unicode: string }) {
  if (name === unicode) return null;
  return (
    <code className="ascii-name">
      <Suspense fallback={null}>
        <LookAlikeNote unicode={unicode} />
      </Suspense>{" "}
      {name}
    </code>
  );
}
