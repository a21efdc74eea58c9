import { type ParseError, invalid } from "../text/parse-error.ts";

const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const host = new RegExp(String.raw`^(?:${label}(?:\.${label})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$`);
const maxPort = 65_535;
const pathComponent = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const maxPathLength = 255;
const tagGrammar = /^\w[\w.-]*$/;
const maxTagLength = 128;
/** The algorithms that the OCI image specification registers, and sha384 of go-digest; with their hexadecimal digits. */
const hexLengths: ReadonlyMap<string, number> = new Map([
  ["sha256", 64],
  ["sha384", 96],
  ["sha512", 128],
  ["blake3", 64],
]);

/** Validates a reference before its parts; null if it is valid. */
export function validateReference(text: string): ParseError | null {
  if (text === "") return invalid(text, "is empty: use an image such as nginx:1.27");
  if (/\s/.test(text)) return invalid(text, "contains whitespace");
  if (text.includes("://")) return invalid(text, `is a URL: remove ${text.slice(0, text.indexOf("://") + 3)}`);
  if (/^[a-f0-9]{64}$/.test(text)) return invalid(text, "is an image ID and names no repository");
  return null;
}

/** Validates a registry host: a DNS name, an IPv4 address or an IPv6 address in brackets, and optionally a port. */
export function validateHost(text: string): ParseError | null {
  if (!host.test(text)) return invalid(text, "is not a registry host: use a form such as registry.example.com:5000");
  const port = Number(/:(\d+)$/.exec(text)?.[1] ?? 1);
  if (port < 1 || port > maxPort) return invalid(text, `is not a registry host: a port is from 1 to ${maxPort}`);
  // Grammatical but impossible: the addresses 999.1.1.1 and [:::].
  return URL.canParse(`https://${text}`) ? null : invalid(text, "is not a registry host: it is not an address");
}

/**
 * Validates a repository path: components of lower-case letters and digits, with `.`, `_`, `__` or dashes between
 * them.
 */
export function validatePath(text: string): ParseError | null {
  if (text.length > maxPathLength) return invalid(text, `is longer than ${maxPathLength} characters`);
  const wrong = text.split("/").find((component) => !pathComponent.test(component));
  if (wrong === undefined) return null;
  if (wrong === "") return invalid(text, "has an empty component: a name is missing next to a slash or before the tag");
  if (pathComponent.test(wrong.toLowerCase())) return invalid(wrong, `must be lower case: ${wrong.toLowerCase()}`);
  return invalid(wrong, "is not a repository name: use letters and digits, with single . _ or - between them");
}

export function validateTag(text: string | null): ParseError | null {
  if (text === null) return null;
  if (text === "") return invalid(":", "has no tag after it");
  if (text.length > maxTagLength) return invalid(text, `is longer than ${maxTagLength} characters`);
  return tagGrammar.test(text)
    ? null
    : invalid(text, "is not a tag: use letters, digits, _ . and -, without a leading . or -");
}

/** Validates a digest: a registered algorithm, and its exact number of hexadecimal digits in lower case. */
export function validateDigest(text: string | null): ParseError | null {
  if (text === null) return null;
  const [algorithm, hex] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)];
  const length = hexLengths.get(algorithm);
  if (length === undefined) return invalid(text, "is not a digest: use sha256: and 64 hexadecimal digits");
  if (hex.length === length && !/[^0-9a-f]/.test(hex)) return null;
  return invalid(text, `is not a digest: ${algorithm} has ${length} hexadecimal digits, in lower case`);
}
