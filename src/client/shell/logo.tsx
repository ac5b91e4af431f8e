import { use } from "react";
import { BrandContext } from "./brand-context.ts";
import "./logo.css";

/** Pixels that the name may take beside the mark. */
const NAME_WIDTH = 136;
/** How wide a letter of this weight is on average, in parts of its size. */
const LETTER_WIDTH = 0.58;

/**
 * The mark, a plot of land with its corner post, and the product's name; 200 × 60 CSS pixels. It is
 * markup and no file of its own: it is the largest thing on the first paint. A long name is set smaller.
 */
export function Logo() {
  const brand = use(BrandContext);
  const size = Math.min(27, Math.max(11, NAME_WIDTH / (LETTER_WIDTH * brand.length)));
  const squeezed = brand.length * size * LETTER_WIDTH > NAME_WIDTH + 1;
  return (
    <svg className="logo" width="200" height="60" viewBox="0 0 200 60" aria-hidden="true">
      <path
        className="logo__plot"
        d="M38 46H14a4 4 0 0 1-4-4V18a4 4 0 0 1 4-4h24a4 4 0 0 1 4 4v14"
      />
      <path className="logo__plot" d="M10 26h32M22 26v20" />
      <circle className="logo__post" cx="43" cy="44" r="5.5" />
      <text
        className="logo__name"
        x="60"
        y={30 + size * 0.35}
        fontSize={size}
        {...(squeezed ? { textLength: NAME_WIDTH, lengthAdjust: "spacingAndGlyphs" } : {})}
      >
        {brand}
      </text>
    </svg>
  );
}
