import { type Invalid, invalid } from "./invalid.ts";

const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const host = new RegExp(String.raw`^(?:${label}(?:\.${label})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$`);
const pathComponent = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const longestPath = 255;
const tagGrammar = /^\w[\w.-]*$/;
const longestTag = 128;
const digestGrammar = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
const hexLengths: ReadonlyMap<string, number> = new Map([
  ["sha256", 64],
  ["sha384", 96],
  ["sha512", 128],
]);

/** What is wrong with a reference before its parts are looked at; null where nothing is. */
export function problemOfWhole(text: string): Invalid | null {
  if (text === "") return invalid(text, "is empty: write an image such as nginx:1.27");
  if (/\s/.test(text)) return invalid(text, "contains a blank");
  if (text.includes("://")) return invalid(text, `is a URL: leave out ${text.slice(0, text.indexOf("://") + 3)}`);
  if (/^[a-f0-9]{64}$/.test(text)) return invalid(text, "is an id and names no repository");
  return null;
}

/** A DNS name, an IPv4 address or an IPv6 address in brackets, and a port or none. */
export function problemOfHost(text: string): Invalid | null {
  return host.test(text) ? null : invalid(text, "is not a registry's host: write it as registry.example.com:5000");
}

/** Components of lower-case letters and digits, with `.`, `_`, `__` or dashes between them. */
export function problemOfPath(text: string): Invalid | null {
  if (text.length > longestPath) return invalid(text, `is longer than ${longestPath} characters`);
  const wrong = text.split("/").find((component) => !pathComponent.test(component));
  if (wrong === undefined) return null;
  if (wrong === "") return invalid(text, "has an empty component: a name is missing beside a slash or before the tag");
  if (pathComponent.test(wrong.toLowerCase())) return invalid(wrong, `must be lower case: ${wrong.toLowerCase()}`);
  return invalid(wrong, "is not a repository's name: letters and digits, with single . _ or - between them");
}

export function problemOfTag(text: string | null): Invalid | null {
  if (text === null) return null;
  if (text === "") return invalid(":", "has no tag after it");
  if (text.length > longestTag) return invalid(text, `is longer than ${longestTag} characters`);
  return tagGrammar.test(text)
    ? null
    : invalid(text, "is not a tag: letters, digits, _ . and -, and no . or - in front");
}

/** Algorithms that go-digest knows have their length, in lower case; any other has at least 32 hexadecimal digits. */
export function problemOfDigest(text: string | null): Invalid | null {
  if (text === null) return null;
  const [algorithm, hex] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)];
  const length = hexLengths.get(algorithm);
  if (length !== undefined && (hex.length !== length || /[^0-9a-f]/.test(hex))) {
    return invalid(text, `is not a digest: ${algorithm} has ${length} hexadecimal digits, in lower case`);
  }
  return digestGrammar.test(text)
    ? null
    : invalid(text, "is not a digest: write it as sha256: and 64 hexadecimal digits");
}
