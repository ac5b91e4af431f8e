const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?";
const DOMAIN_LIKE = new RegExp(`^(?:${LABEL}\\.)+(?!\\d+\\.?$)${LABEL}\\.?$`, "u");

/**
 * Whether a cell has the shape of a domain name: enough to tell columns apart, quickly. Whether it
 * is one, `parseDomainName` decides.
 */
export function isDomainLike(text: string): boolean {
  return text.length <= 254 && text.includes(".") && DOMAIN_LIKE.test(text.trim());
}

/** Whether a name has the shape of a nameserver's, such as ns1.example.com. */
export function isNameserverLike(text: string): boolean {
  return /^(?:p?d?ns|dns)-?\d{1,4}[.-]/i.test(text.trim());
}
