/** The authentication that a registry requires. Its scope does not matter: Pawl only ever asks to pull what it lists. */
export type Challenge =
  | { readonly kind: "basic" }
  | { readonly kind: "bearer"; readonly realm: string; readonly service: string | null };

// Either `name = value`, with the value quoted or not, or a single word: the name of the next scheme.
const parts = /([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))|([\w!#$%&'*+.^`|~-]+)/g;

/** Parses `WWW-Authenticate` (RFC 9110, 11.6.1). Bearer takes precedence over Basic; null if it offers neither. */
export function parseChallenge(header: string): Challenge | null {
  const challenges = parseSchemes(header);
  const bearer = challenges.find(({ scheme, params }) => scheme === "bearer" && params.has("realm"));
  if (bearer !== undefined) {
    const { params } = bearer;
    return { kind: "bearer", realm: params.get("realm") ?? "", service: params.get("service") ?? null };
  }
  return challenges.some(({ scheme }) => scheme === "basic") ? { kind: "basic" } : null;
}

function parseSchemes(header: string) {
  const found: { readonly scheme: string; readonly params: Map<string, string> }[] = [];
  for (const [, name, quoted, plain, word] of header.matchAll(parts)) {
    if (word !== undefined) found.push({ scheme: word.toLowerCase(), params: new Map() });
    else if (name !== undefined) found.at(-1)?.params.set(name.toLowerCase(), unquote(quoted, plain));
  }
  return found;
}

function unquote(quoted: string | undefined, plain: string | undefined): string {
  return quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "";
}
