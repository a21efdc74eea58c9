import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";

const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * What keeps a PEM file from being deployed as a certificate authority; null where nothing does. Of a file with a certificate
 * that it cannot read Node.js uses none, and says so only in the log.
 */
export function problemWithCertificates(path: string): string | null {
  const pem = textOf(path);
  if (pem === null) return `"${path}" cannot be read`;
  if (pem.includes("PRIVATE KEY-----")) return `"${path}" holds a private key, which has no business in a deployment`;
  const begun = pem.split("-----BEGIN CERTIFICATE-----").length - 1;
  if (begun === 0) return `"${path}" holds no certificate: write PEM, with -----BEGIN CERTIFICATE-----`;
  const found = pem.match(certificate) ?? [];
  const broken = found.findIndex((one) => !isReadable(one));
  if (broken >= 0 || found.length < begun)
    return `"${path}": certificate ${(broken >= 0 ? broken : found.length) + 1} cannot be read`;
  return null;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function isReadable(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
