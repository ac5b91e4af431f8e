/** The product's name unless `BRAND` says another. */
export const DEFAULT_BRAND = "Freehold";
