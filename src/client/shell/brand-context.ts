import { createContext } from "react";
import { DEFAULT_BRAND } from "../../shared/brand.ts";

/** The product's name, for every piece that says it. */
export const BrandContext = createContext(DEFAULT_BRAND);
