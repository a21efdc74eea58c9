import type { Resolution } from "../../domain/node-pool/target.ts";
import { byKind, fields, nullable, poolRef, type Rule, text } from "../../input.ts";

/** As its kind has it. */
const resolution = byKind({
  resolved: fields({ ref: text, digest: text }),
  failed: fields({ ref: text, reason: text }),
} satisfies Record<Resolution["kind"], Rule>);

/** What the function `record-pool` is invoked with. */
export const poolCheckInput: Rule = fields({ cluster: text, pool: poolRef, resolution: nullable(resolution) });
