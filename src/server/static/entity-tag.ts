/** A strong entity tag for a body; `variant` tells the encodings of one body apart. */
export function entityTag(bytes: Uint8Array, variant = ""): string {
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("base64url").slice(0, 22);
  return `"${hash}${variant && `-${variant}`}"`;
}
