import type * as packets from "dns-packet";

/** Digests by their number in the registry of DS digests (RFC 4034, 4509, 6605). */
const DIGESTS: Readonly<Record<number, Bun.SupportedCryptoAlgorithms>> = {
  1: "sha1",
  2: "sha256",
  4: "sha384",
};

/**
 * Whether no key of a zone is one that its parent vouches for, so that validating resolvers refuse the
 * zone. DS records with a digest that is not known here prove nothing.
 *
 * @param name Lower-case A-label form of the zone.
 */
export function isChainBroken(
  name: string,
  ds: readonly packets.Answer[],
  dnskey: readonly packets.Answer[],
): boolean {
  const digests = ds
    .filter((record): record is packets.DSAnswer => record.type === "DS")
    .map(({ data }) => data)
    .filter(({ digestType }) => DIGESTS[digestType] !== undefined);
  const keys = dnskey
    .filter((record): record is packets.DnskeyAnswer => record.type === "DNSKEY")
    .map(({ data }) => data);
  return (
    digests.length > 0 && !digests.some((digest) => keys.some((key) => matches(name, digest, key)))
  );
}

type Ds = packets.DSAnswer["data"];
type Dnskey = packets.DnskeyAnswer["data"];

/** RFC 4034 §5.1.4: the digest covers the owner's name and the key's data. */
function matches(name: string, { keyTag, algorithm, digestType, digest }: Ds, key: Dnskey) {
  const data = Buffer.concat([
    Buffer.from([key.flags >> 8, key.flags & 0xff, 3, key.algorithm]),
    key.key,
  ]);
  const hash = DIGESTS[digestType];
  if (hash === undefined || algorithm !== key.algorithm || keyTag !== tagOf(data)) return false;
  return new Bun.CryptoHasher(hash).update(wireName(name)).update(data).digest().equals(digest);
}

/** RFC 4034, appendix B. */
function tagOf(data: Buffer): number {
  let sum = 0;
  for (const [at, byte] of data.entries()) sum += at % 2 === 0 ? byte * 256 : byte;
  return (sum + (sum >> 16)) & 0xffff;
}

function wireName(name: string): Buffer {
  const labels = name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}
