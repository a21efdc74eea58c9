import * as v from "valibot";
import { closedObject, crossCheck, durationSeconds, openObject, parsedBy, refine } from "../../text/schema.ts";
import { type Validation, validate } from "../../text/schema-problems.ts";
import { type IntOrPercent, parseIntOrPercent, resolveIntOrPercent } from "../pool/int-or-percent.ts";

/** A step of a rollout: it updates further nodes, or waits. */
export type Wave =
  /** Further nodes. They have to stay Ready for `soakSeconds` after the last one has released its slot. */
  | { readonly kind: "nodes"; readonly nodes: IntOrPercent; readonly soakSeconds: number }
  /** null waits until a person promotes the pool. */
  | { readonly kind: "pause"; readonly seconds: number | null };

/** How far the rollout of a digest has come in the steps of its pool. */
export interface WaveProgress {
  readonly digest: string;
  /** From 1 on; one more than there are once all are done. */
  readonly step: number;
  /** Since when the nodes of the step soak, or the step waits; null before that. */
  readonly since: Date | null;
}

const maxSteps = 30;
const indexes = Array.from({ length: maxSteps }, (_, index) => index);
const maxSeconds = 7 * 86_400;

const nodes = v.pipe(
  v.union([v.string(), v.number()], "a number of nodes or a percentage"),
  v.transform((given) => (typeof given === "number" ? `${given}` : given)),
  parsedBy((text) => {
    const amount = parseIntOrPercent(/^\d+$/.test(text) ? Number(text) : text);
    return "kind" in amount ? amount : { kind: "amount" as const, amount };
  }),
  v.transform(({ amount }) => amount),
  refine(({ amount }) => (amount > 0 ? null : "must be 1 node or more")),
);

const stepSchema = v.pipe(
  closedObject({
    nodes: v.nullish(nodes, null),
    soak: v.nullish(durationSeconds(1, maxSeconds), null),
    pause: v.nullish(closedObject({ duration: v.nullish(durationSeconds(1, maxSeconds), null) }), null),
  }),
  crossCheck(["nodes", "soak", "pause"], ({ nodes: amount, soak, pause }) => {
    if ((amount === null) === (pause === null)) return [{ path: [], reason: "needs either nodes or pause" }];
    return soak === null || amount !== null ? [] : [{ path: ["soak"], reason: "is that of nodes; use pause.duration" }];
  }),
);

const schema = v.pipe(
  v.array(stepSchema, `a list of at most ${maxSteps} steps`),
  v.maxLength(maxSteps),
  crossCheck(indexes, (steps) => {
    const amounts = steps.flatMap((one) => (one.nodes?.unit === "percent" ? [one.nodes.amount] : []));
    const sum = amounts.reduce((total, amount) => total + amount, 0);
    return sum > 100 ? [{ path: [], reason: `sum to ${sum}% of the nodes; each step adds to those before` }] : [];
  }),
  v.transform((steps) => steps.map(toWave)),
);
const spec = openObject({ steps: schema });

/** Parses the steps of a rollout. Returns every problem at once. */
export function parseWaves(steps: unknown): Validation<readonly Wave[]> {
  const parsed = validate(spec, { steps }, "spec");
  return parsed.kind === "valid" ? { kind: "valid", value: parsed.value.steps } : parsed;
}

function toWave({ nodes: amount, soak, pause }: v.InferOutput<typeof stepSchema>): Wave {
  if (amount === null) return { kind: "pause", seconds: pause?.duration ?? null };
  return { kind: "nodes", nodes: amount, soakSeconds: soak ?? 0 };
}

/** Returns how many nodes the steps up to one of them update, from 1 on. */
export function countNodes(waves: readonly Wave[], step: number, nodeCount: number): number {
  const counts = waves
    .slice(0, step)
    .map((wave) => (wave.kind === "nodes" ? resolveIntOrPercent(wave.nodes, nodeCount) : 0));
  return counts.reduce((total, count) => total + count, 0);
}
