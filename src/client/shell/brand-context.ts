import { createContext } from "react";
import { DEFAULT_BRAND } from "../../shared/brand.ts";

/** The product's name, wherever the shell shows it. */
export const BrandContext = createContext(DEFAULT_BRAND);
