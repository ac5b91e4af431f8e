import { spawnSync } from "node:child_process";

/** A certificate and its key for a name, made by openssl; its own authority. */
export function selfSigned(name: string, subject = `/CN=${name}`): { key: string; cert: string } {
  const made = spawnSync(
    "openssl",
    [
      ...`req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30`.split(" "),
      ...`-keyout - -out - -subj ${subject} -addext subjectAltName=DNS:${name}`.split(" "),
    ],
    { encoding: "utf8" },
  );
  const [key = "", cert = ""] = made.stdout.split(/(?=-----BEGIN CERTIFICATE)/);
  return { key, cert };
}

/** The certificate with NUL in place of the first letter of a text, which breaks its signature only. */
export function withNul(cert: string, text: string): string {
  const bytes = Buffer.from(cert.replaceAll(/-----[^-]+-----/g, ""), "base64");
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text)) bytes[at] = 0;
  const lines = bytes.toString("base64").replaceAll(/.{64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
