import { InvalidInput } from "../exit-codes.ts";

/** As kubectl accepts them: singular and plural, the short name, and with a group suffix. */
const kinds: ReadonlySet<string> = new Set(["bootcnodepool", "pool", "bnp"]);

/**
 * Returns the name of the node pool in `bootcnodepool/workers`, `pool/workers` or `bnp/workers`; null for another kind or none,
 * which means a workload. Throws `InvalidInput` if a namespace is given.
 */
export function parsePoolName(text: string): string | null {
  const [kind = "", ...rest] = text.split("/");
  const lower = kind.toLowerCase().replace(/\.node\.bootc\.dev$/, "");
  if (rest.length === 0 || !kinds.has(lower.replace(/s$/, ""))) return null;
  const [name = "", ...more] = rest;
  if (name === "" || more.length > 0) {
    throw new InvalidInput(`"${text}" is not a node pool, which has no namespace; use ${kind}/name`);
  }
  return name;
}

/** Formats a name for `parsePoolName`: `bootcnodepool/workers`. */
export function formatPoolName({ name }: { readonly name: string }): string {
  return `bootcnodepool/${name}`;
}
