/** The product's name unless `BRAND` sets another. */
export const DEFAULT_BRAND = "Freehold";

/**
 * The product's name on this page. The server writes its `BRAND` into the page's
 * `application-name`, so that a new name needs no new build.
 */
export function readBrand(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="application-name"]');
  return meta?.content || DEFAULT_BRAND;
}
