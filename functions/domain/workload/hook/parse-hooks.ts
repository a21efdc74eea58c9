import * as v from "valibot";
import { jobFields } from "../../analysis/providers/job.ts";
import { closedObject } from "../../text/schema.ts";
import { validate } from "../../text/schema-problems.ts";
import { defaultHookOccasions, type Hook, type HookOccasion, hookOccasions, type Hooks, noHooks } from "./hook.ts";
import { fieldProblem, type Problem } from "../policy/problem.ts";

const { name: jobName, ...jobSettings } = jobFields;
const common = { job: jobName, ...jobSettings, log: v.nullish(v.boolean(), false) };
const occasions = v.pipe(v.array(v.picklist(hookOccasions)), v.minLength(1, "has no change around which it runs"));
const aroundUpdates = { ...common, runOn: v.nullish(occasions, [...defaultHookOccasions]) };

const pre = v.pipe(
  closedObject(aroundUpdates),
  v.transform((written) => toHook(written)),
);
const afterwards = v.nullish(v.picklist(["record", "rollback"]), "record");
const post = v.pipe(
  closedObject({ ...aroundUpdates, onFailure: afterwards, onNoResult: afterwards }),
  v.transform((written) => toHook(written)),
);
const prePromotion = v.pipe(
  closedObject(common),
  v.transform((written) => toHook(written)),
);

const schema = closedObject({ pre: v.nullish(pre, null), post: v.nullish(post, null) });
const ofCanary = closedObject({ prePromotion: v.nullish(prePromotion, null) });

interface WrittenHook {
  readonly job: string;
  readonly timeout: number;
  readonly useNewImage: boolean;
  readonly log: boolean;
  readonly runOn?: readonly HookOccasion[];
  readonly onFailure?: "record" | "rollback";
  readonly onNoResult?: "record" | "rollback";
}

function toHook({
  job,
  timeout,
  useNewImage,
  log,
  runOn = defaultHookOccasions,
  onFailure = "record",
  onNoResult = "record",
}: WrittenHook): Hook {
  const rollsBack = onFailure === "rollback";
  return {
    job,
    timeoutSeconds: timeout,
    usesNewImage: useNewImage,
    showsLog: log,
    rollsBack,
    ...(onNoResult === "rollback" ? { rollsBackUnknown: true } : {}),
    runOn,
  };
}

/**
 * Reads the hooks of a StatefulCanary. A canary must not be promoted without one that its owner asked for: one that is invalid is there,
 * and nothing runs until the problem is fixed.
 */
export function readCanaryHooks(
  written: { readonly prePromotion?: { readonly job: string } } | undefined,
  problems: Problem[],
): Hooks {
  const parsed = validate(ofCanary, written ?? {}, "hooks");
  if (parsed.kind === "invalid") problems.push(fieldProblem("spec.hooks", "InvalidValue", describe(parsed.problems)));
  const hook =
    parsed.kind === "valid" ? parsed.value.prePromotion : { ...unknownHook, job: written?.prePromotion?.job ?? "" };
  return hook === null ? noHooks : { ...noHooks, "pre-promotion": hook };
}

const unknownHook = { timeoutSeconds: 0, usesNewImage: false, showsLog: false, rollsBack: false, runOn: [] };

/**
 * Parses the hooks of a policy, as read from YAML or JSON. An update must not start without one that its owner asked for: what is invalid
 * is reported, with the path of each field.
 */
export function parseHooks(written: unknown, report: (reason: string) => void): Hooks {
  const parsed = validate(schema, written === undefined ? {} : written, "hooks");
  if (parsed.kind === "invalid") report(describe(parsed.problems));
  return parsed.kind === "valid" ? parsed.value : noHooks;
}

function describe(problems: readonly { readonly reason: string }[]): string {
  return problems.map(({ reason }) => reason).join("; ");
}
