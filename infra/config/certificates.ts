import { X509Certificate } from "node:crypto";
import { readText } from "./read-text.ts";

const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Returns why a PEM file cannot be deployed as a certificate authority, or null. If one certificate of a file is invalid,
 * Node.js uses none of them, and reports it only in the log.
 */
export function certificatesProblem(path: string): string | null {
  const pem = readText(path);
  if (pem === null) return `"${path}" does not exist or is not readable`;
  if (pem.includes("PRIVATE KEY-----"))
    return `"${path}" contains a private key, which must not be deployed; remove it`;
  const count = pem.split("-----BEGIN CERTIFICATE-----").length - 1;
  if (count === 0) return `"${path}" contains no certificate; use PEM, with -----BEGIN CERTIFICATE-----`;
  const found = pem.match(certificate) ?? [];
  const invalid = found.findIndex((one) => !isValid(one));
  if (invalid >= 0 || found.length < count)
    return `"${path}": certificate ${(invalid >= 0 ? invalid : found.length) + 1} is invalid`;
  return null;
}

function isValid(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}
