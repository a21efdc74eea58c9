import { WrongInput } from "../exit.ts";

/** As kubectl takes them: singular and plural, the short name, and with the group behind it. */
const kinds: ReadonlySet<string> = new Set(["bootcnodepool", "pool", "bnp"]);

/**
 * The name of the node pool in `bootcnodepool/workers`, `pool/workers` or `bnp/workers`; null where the kind says something
 * else, or is not written: that is a workload. Throws `WrongInput` where it is written with a namespace.
 */
export function poolNameIn(written: string): string | null {
  const [kind = "", ...rest] = written.split("/");
  const lower = kind.toLowerCase().replace(/\.node\.bootc\.dev$/, "");
  if (rest.length === 0 || !kinds.has(lower.replace(/s$/, ""))) return null;
  const [name = "", ...more] = rest;
  if (name === "" || more.length > 0) {
    throw new WrongInput(`"${written}" is not a node pool, which has no namespace: write it as ${kind}/name`);
  }
  return name;
}

/** Written as `poolNameIn` reads it: `bootcnodepool/workers`. */
export function formatPoolName({ name }: { readonly name: string }): string {
  return `bootcnodepool/${name}`;
}
