const hidden = "[redacted]";

/** What looks like a secret, and what replaces it. Each is linear in the length of the text. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{1,40}-----[^-]*(?:-----END [A-Z ]{1,40}-----)?/g, hidden],
  // The password of a URL.
  [/(:\/\/[^\s/:@]{0,200}:)[^\s/@]{1,400}@/g, `$1${hidden}@`],
  [/\b((?:bearer|basic|token) +)[\w.~+/=-]{8,}/gi, `$1${hidden}`],
  [/((?:password|passwd|secret|token|api[-_]?key|access[-_]?key)["']?[=:] *["']?)[^\s"',;&]{1,400}/gi, `$1${hidden}`],
  // A JSON Web Token.
  [/(?<![\w-])eyJ[\w-]{8,}\.[\w-]*\.?[\w-]*/g, hidden],
  // Long base64: keys, tokens. A digest or a commit hash is not one.
  [/(?<![\w+/:])(?![0-9a-f]{40,64}\b)[A-Za-z0-9+/_-]{40,}={0,2}/g, hidden],
];

/** Replaces parts of foreign text that look like secrets: passwords of URLs, tokens, keys in PEM and long base64. */
export function redact(text: string): string {
  return patterns.reduce((redacted, [pattern, replacement]) => redacted.replaceAll(pattern, replacement), text);
}
