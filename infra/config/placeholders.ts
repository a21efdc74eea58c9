/** Values of `pawl.example.json` that stand for those of an account: nothing can be deployed with them. */
const placeholders: readonly RegExp[] = [
  /\b(?:123456789012|210987654321)\b/,
  /0123456789ABCDEF0123456789ABCDEF/,
  /^(?:vpc|subnet|sg)-0(?:a1b2c3d4e5f60718|b1c2d3e4f5061728)$/,
  /\bws-01234567-89ab-cdef-0123-456789abcdef$/,
  // RFC 2606: nobody owns these domains.
  /(?:^|[@./])example\.(?:com|net|org)\b/,
  // The body of the certificate is base64 of "Pawl's example: …".
  /UGF3bCdzIGV4YW1wbGU6/,
];

const maxPaths = 3;

/** Returns why a configuration cannot be deployed: it has values of the example; null if it has none. */
export function placeholderProblem(input: unknown): string | null {
  const paths = findPaths(input, "");
  if (paths.length === 0) return null;
  const more = paths.length > maxPaths ? `, and ${paths.length - maxPaths} more` : "";
  const found = `${paths.slice(0, maxPaths).join(", ")}${more}`;
  return `pawl: has placeholders of the example (${found}); run "npx --no-install pawl init" to write pawl.json, or replace them`;
}

function findPaths(value: unknown, path: string): readonly string[] {
  if (typeof value === "string") return isPlaceholder(value) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => findPaths(item, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => findPaths(item, path === "" ? key : `${path}.${key}`));
}

/** A certificate is in base64 itself. */
function isPlaceholder(text: string): boolean {
  const decoded = text.startsWith("LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t")
    ? Buffer.from(text, "base64").toString()
    : text;
  return placeholders.some((placeholder) => placeholder.test(decoded));
}
