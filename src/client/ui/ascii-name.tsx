import { Suspense } from "react";
import { lazyCode } from "./lazy-code.ts";
import "./ascii-name.css";

const LookAlikeNote = lazyCode(() => import("./look-alike.tsx"));

/**
 * The ASCII form of an internationalised domain name, with a warning where the Unicode form can be
 * mistaken for another name. Renders nothing where both forms are the same.
 */
export function AsciiName({ name, unicode }: { name: string; unicode: string }) {
  if (name === unicode) return null;
  return (
    <code className="ascii-name">
      <Suspense fallback={null}>
        <LookAlikeNote unicode={unicode} />
      </Suspense>
      {name}
    </code>
  );
}
