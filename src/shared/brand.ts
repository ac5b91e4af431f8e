export const DEFAULT_BRAND = "Freehold";

/** The product's name on this page, into which the server writes its `BRAND`. */
export function readBrand(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="application-name"]');
  return meta?.content || DEFAULT_BRAND;
}
