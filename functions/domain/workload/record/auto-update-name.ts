import { createHash } from "node:crypto";
import { trimEnd } from "../../text/trim-end.ts";

const maxNameLength = 253;

/** Returns the one name that the AutoUpdate of a workload may have: `deployment-web`, with a hash if that is too long. */
export function autoUpdateName({ kind, name }: { readonly kind: string; readonly name: string }): string {
  const full = `${kind.toLowerCase()}-${name}`;
  if (full.length <= maxNameLength) return full;
  const hash = createHash("sha256").update(full).digest("hex").slice(0, 10);
  return `${trimEnd(full.slice(0, maxNameLength - hash.length - 1), "-.")}-${hash}`;
}
