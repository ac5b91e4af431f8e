import { use } from "react";
import { BrandContext } from "./brand-context.ts";
import "./logo.css";

/** Room for the name beside the mark. */
const NAME_WIDTH_PX = 136;
/** Average width of a letter of this weight. */
const LETTER_WIDTH_EM = 0.58;

/**
 * The mark, a plot of land with its corner post, and the product's name; 200 × 60 CSS pixels. It is
 * inline, since it is the largest thing on the first paint. A long name is set in a smaller size.
 */
export function Logo() {
  const brand = use(BrandContext);
  const size = Math.min(27, Math.max(11, NAME_WIDTH_PX / (LETTER_WIDTH_EM * brand.length)));
  const squeezed = brand.length * size * LETTER_WIDTH_EM > NAME_WIDTH_PX + 1;
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
        {...(squeezed ? { textLength: NAME_WIDTH_PX, lengthAdjust: "spacingAndGlyphs" } : {})}
      >
        {brand}
      </text>
    </svg>
  );
}
