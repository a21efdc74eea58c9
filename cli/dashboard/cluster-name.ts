interface QualifiedName {
  /** null on a page of one cluster. */
  readonly cluster: string | null;
  readonly name: string;
}

/** Returns the name of something on a page of several clusters: `production:deployment/shop/web`. */
export function qualifyName(cluster: string, name: string): string {
  return `${cluster}:${name}`;
}

/** Splits a name that `qualifyName` may have returned. Names of Kubernetes have no colon. */
export function splitName(text: string): QualifiedName {
  const at = text.indexOf(":");
  return at < 0 ? { cluster: null, name: text } : { cluster: text.slice(0, at), name: text.slice(at + 1) };
}
