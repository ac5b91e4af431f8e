import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { EnvironmentReader } from "./environment-reader.ts";
import type { VariableName } from "./variables.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/** The certificates in the file that a variable names, as PEM text; null where it is unset. */
export function readAuthorities(reader: EnvironmentReader, name: VariableName): string | null {
  const pem = readPem(reader, name);
  if (pem === null) return null;
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length > 0 && certificates.every(isCertificate)) return pem;
  reader.reject(name, "a PEM file of certificates");
  return null;
}

/** A certificate chain and the private key that belongs to it: both or neither. */
export function readKeyPair(
  reader: EnvironmentReader,
  certName: VariableName,
  keyName: VariableName,
) {
  const given = [certName, keyName].filter((name) => reader.text(name) !== null);
  if (given.length === 0) return null;
  if (given.length === 1) {
    reader.reject(given[0] === certName ? keyName : certName, `a PEM file beside ${given[0]}`);
  }
  const cert = readAuthorities(reader, certName);
  const key = readPem(reader, keyName);
  if (cert === null || key === null) return null;
  if (!belongs(cert, key)) reader.reject(keyName, `the PEM private key of ${certName}`);
  return Object.freeze({ cert, key });
}

function readPem(reader: EnvironmentReader, name: VariableName): string | null {
  const path = reader.text(name);
  if (path === null) return null;
  try {
    return readFileSync(path, "utf8");
  } catch {
    reader.reject(name, "a file that can be read");
    return null;
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

function belongs(cert: string, key: string): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}
