import { hasCandidateGates } from "../../gates/candidate.ts";
import { type Bake, parseBakeTime } from "../bake/bake.ts";
import { sizesOf } from "../canary/progress.ts";
import { parseCanarySteps } from "../canary/steps.ts";
import type { CanarySize } from "../canary/canary-size.ts";
import { parseCanarySize } from "../canary/size.ts";
import type { Policy } from "../workload.ts";
import { neverOpensProblem } from "./never-opens.ts";
import type { PolicyField, PolicyRules } from "./policy-field.ts";
import { policyFields, type policyTable } from "./policy-table.ts";
import { fieldProblem, type Problem } from "./problem.ts";
import { type OptIn, type RawPolicy, textOf, type Written } from "./raw-policy.ts";

export interface ParsedPolicy {
  readonly policy: Policy;
  /** One for each invalid value; no update starts while there is one. */
  readonly problems: readonly Problem[];
}

/** Returns the problem of a value that is too long; null if it is not. Does not repeat the value. */
export function lengthProblem(field: string, { length }: { readonly length: number }, max: number): Problem | null {
  if (length <= max) return null;
  return fieldProblem(field, "TooLong", `has ${length} characters; use at most ${max}`);
}

/**
 * Parses every field and reports every problem. An invalid value takes the default beside its problem. One that is too long is not
 * parsed: some take much more time than their length. An analysis stays, so that a canary in flight is not promoted without it.
 */
export function parsePolicy(raw: RawPolicy, optIn: OptIn, rules: PolicyRules): ParsedPolicy {
  const problems: Problem[] = [];
  const fields = policyFields.map(([name, field]) => ({ field, ...checkLength(raw[name], field, problems) }));
  const own = fields.map(({ field: { parse, type }, written, isTooLong }) => {
    const text = textOf(written);
    const report = (reason: string) => {
      const { place } = written as Written;
      problems.push(fieldProblem(place, "InvalidValue", reason, type === "json" ? undefined : text));
    };
    return parse?.({ text, value: written?.value, isTooLong, rules, report });
  });
  const parsed = Object.assign({}, ...own) as ParsedFields;
  const byName = Object.fromEntries(policyFields.map(([name], index) => [name, fields[index]?.written]));
  const policy = { optIn, ...parsed, ...parseCanary(byName, rules, problems) };
  const { pin } = raw;
  if (pin !== undefined && policy.pin === "tag" && hasCandidateGates(policy))
    problems.push(
      fieldProblem(pin.place, "InvalidValue", "excludes gates that judge a digest; remove it", textOf(pin)),
    );
  const neverOpens = neverOpensProblem(raw, policy);
  if (neverOpens !== null) problems.push(neverOpens);
  const isBakeTooLong = raw["bakeTime"] !== undefined && byName["bakeTime"] === undefined;
  const bake = isBakeTooLong ? { seconds: null } : parseBake(byName["bakeTime"], policy, problems);
  return { policy: { ...policy, bake }, problems };
}

type Parsed<T> = T extends { readonly parse: (...args: never[]) => infer P } ? (parsed: P) => void : never;

/** All that the fields parse: together with what depends on several of them it is a policy. */
type ParsedFields =
  Parsed<(typeof policyTable)[keyof typeof policyTable]> extends (parsed: infer P) => void ? P : never;

/** A value that is too long is a problem, and not parsed. */
function checkLength(written: Written | undefined, { maxLength, keepsLongValue }: PolicyField, problems: Problem[]) {
  const problem = written && maxLength !== undefined ? lengthProblem(written.place, written, maxLength) : null;
  if (problem === null) return { written, isTooLong: false };
  problems.push(problem);
  return { written: keepsLongValue ? written : undefined, isTooLong: true };
}

type Fields = Readonly<Record<string, Written | undefined>>;

/** Both forms: the size of one step, or all steps. */
function parseCanary(
  { canary: size, canarySteps: steps }: Fields,
  { canaryUnavailableReason: unavailable }: PolicyRules,
  problems: Problem[],
): Pick<Policy, "canary" | "canarySteps"> {
  const none = { canary: null, canarySteps: [] };
  const report = ({ place }: Written, reason: string, value?: string) => {
    problems.push(fieldProblem(place, "InvalidValue", reason, value));
    return none;
  };
  const text = textOf(size);
  if (size !== undefined && text !== undefined && text.trim() !== "") {
    const parsed = parseCanarySize(text);
    const problem = unavailable ?? ("kind" in parsed ? parsed.reason : null);
    if (problem !== null) report(size, problem, text);
    if (steps !== undefined) return report(steps, `excludes ${size.place}; use one of them`);
    return problem !== null || "kind" in parsed ? none : { canary: parsed, canarySteps: [] };
  }
  if (steps === undefined) return none;
  if (unavailable !== null) return report(steps, unavailable);
  const parsed = parseCanarySteps(steps.value);
  if (parsed.kind === "invalid") return report(steps, parsed.problems.map(({ reason }) => reason).join("; "));
  const [first] = sizesOf(parsed.value);
  return { canary: first as CanarySize, canarySteps: parsed.value };
}

/** Without a bake time, an analysis that judges no canary judges the update itself. An invalid one does not skip it. */
function parseBake(
  written: Written | undefined,
  { canary, analysis }: Pick<Policy, "canary" | "analysis">,
  problems: Problem[],
): Bake | null {
  const text = textOf(written);
  if (written === undefined || text === undefined || text.trim() === "")
    return analysis !== null && canary === null ? { seconds: null } : null;
  const parsed = parseBakeTime(text.trim());
  if (!("kind" in parsed)) return parsed;
  problems.push(fieldProblem(written.place, "InvalidValue", parsed.reason, text));
  return { seconds: null };
}
