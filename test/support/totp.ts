/** The secret that an app reads from the URI of an authenticator, RFC 4648 §6. */
export function fromBase32(text: string): Uint8Array {
  const bits = [...text]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter))
    .map((word) => word.toString(2).padStart(5, "0"))
    .join("");
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
