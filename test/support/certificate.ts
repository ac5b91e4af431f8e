import { spawnSync } from "node:child_process";

/** A certificate and its key for a name, made by openssl; its own authority. */
export function selfSigned(name: string, days = 30): { key: string; cert: string } {
  const made = spawnSync(
    "openssl",
    [
      ...`req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days ${days}`.split(" "),
      ...`-keyout - -out - -subj /CN=${name} -addext subjectAltName=DNS:${name}`.split(" "),
    ],
    { encoding: "utf8" },
  );
  const [key = "", cert = ""] = made.stdout.split(/(?=-----BEGIN CERTIFICATE)/);
  return { key, cert };
}
