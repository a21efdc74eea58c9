import type { Invalid } from "../invalid.ts";
import { type Amount, parseAmount } from "./amount.ts";
import { type LabelSelector, problemOfSelector } from "../label-selector.ts";
import { parseOsImage } from "./target.ts";
import type { Agent, NodePoolSpec, PullSecretRef, RebootPolicy } from "./types.ts";
import { parseWindow, type WrittenWindow } from "./windows.ts";

/** `spec` of a BootcNodePool as it stands in the cluster. What is absent takes its default. */
export interface WrittenSpec {
  readonly nodeSelector?: LabelSelector;
  readonly image?: { readonly ref?: string };
  readonly rollout?: {
    readonly maxUnavailable?: number | string;
    readonly paused?: boolean;
    readonly preStageWhilePaused?: boolean;
    readonly haltThreshold?: number | string;
    readonly drainTimeoutSeconds?: number;
    readonly rebootTimeoutSeconds?: number;
    readonly stagingTimeoutSeconds?: number;
    readonly windows?: readonly WrittenWindow[];
  };
  readonly dependsOn?: readonly string[];
  readonly disruption?: { readonly rebootPolicy?: string };
  readonly pullSecretRef?: PullSecretRef;
  readonly agent?: string;
}

export interface ReadSpec {
  readonly spec: NodePoolSpec;
  /** One sentence for each value that cannot be read: the pool is Degraded/InvalidSpec, and nothing is done. */
  readonly problems: readonly string[];
}

/** Reads every field and reports every problem. Where a value cannot be read the default stands beside its problem. */
export function readSpec({ nodeSelector, image, rollout = {}, ...rest }: WrittenSpec): ReadSpec {
  const problems: string[] = [];
  const complain: Complain = (field, why) => void problems.push(`${field}: ${why}`);
  const spec: NodePoolSpec = {
    nodeSelector: readSelector(nodeSelector, complain),
    imageRef: readImage(image?.ref ?? "", complain),
    maxUnavailable: readAmount("rollout.maxUnavailable", rollout.maxUnavailable, one, complain),
    paused: rollout.paused ?? false,
    preStageWhilePaused: rollout.preStageWhilePaused ?? true,
    haltThreshold: readThreshold(rollout.haltThreshold, complain),
    drainTimeoutSeconds: readTimeout("rollout.drainTimeoutSeconds", rollout.drainTimeoutSeconds, complain),
    rebootTimeoutSeconds: readTimeout("rollout.rebootTimeoutSeconds", rollout.rebootTimeoutSeconds, complain),
    stagingTimeoutSeconds: readTimeout("rollout.stagingTimeoutSeconds", rollout.stagingTimeoutSeconds, complain),
    windows: readWindows(rollout.windows ?? [], complain),
    dependsOn: rest.dependsOn ?? [],
    rebootPolicy: readWord("disruption.rebootPolicy", rest.disruption?.rebootPolicy, rebootPolicies, complain),
    pullSecretRef: rest.pullSecretRef ?? null,
    agent: readWord("agent", rest.agent, agents, complain),
  };
  return { spec, problems };
}

type Complain = (field: string, why: string) => void;

const rebootPolicies = ["RebootOnly", "AllowSoftReboot"] as const satisfies readonly RebootPolicy[];
const agents = ["Daemon", "RunCommand"] as const satisfies readonly Agent[];
const one: Amount = { unit: "nodes", amount: 1 };
const two: Amount = { unit: "nodes", amount: 2 };

function readSelector(selector: LabelSelector | undefined, complain: Complain): LabelSelector {
  const problem = selector === undefined ? "is missing: {} would select every node" : problemOfSelector(selector);
  if (problem !== null) complain("nodeSelector", problem);
  return selector ?? {};
}

function readImage(ref: string, complain: Complain): string {
  const image = parseOsImage(ref);
  if (image.kind === "invalid") complain("image.ref", image.reason);
  return ref;
}

function readAmount(field: string, value: number | string | undefined, whenAbsent: Amount, complain: Complain): Amount {
  const amount: Amount | Invalid = value === undefined ? whenAbsent : parseAmount(value);
  if (!("kind" in amount)) return amount;
  complain(field, amount.reason);
  return whenAbsent;
}

/** 0 would halt a rollout in which nothing is wrong. */
function readThreshold(value: number | string | undefined, complain: Complain): Amount {
  const threshold = readAmount("rollout.haltThreshold", value, two, complain);
  if (threshold.amount > 0) return threshold;
  complain("rollout.haltThreshold", "must be 1 or more");
  return two;
}

/** 0 is no limit, as for kubectl drain. */
function readTimeout(field: string, seconds: number | undefined, complain: Complain): number | null {
  if (seconds === undefined || seconds === 0) return null;
  if (Number.isInteger(seconds) && seconds > 0) return seconds;
  complain(field, `"${seconds}" is not a whole number of seconds`);
  return null;
}

function readWindows(written: readonly WrittenWindow[], complain: Complain): NodePoolSpec["windows"] {
  return written.flatMap((text, index) => {
    const window = parseWindow(text);
    if (window.kind === "window") return [window];
    complain(`rollout.windows[${index}]`, window.reason);
    return [];
  });
}

/** One of two words, the first where it is absent. */
function readWord<const One extends string, const Other extends string>(
  field: string,
  word: string | undefined,
  [usual, other]: readonly [One, Other],
  complain: Complain,
): One | Other {
  if (word === other) return other;
  if (word !== undefined && word !== usual) complain(field, `"${word}" is neither ${usual} nor ${other}`);
  return usual;
}
