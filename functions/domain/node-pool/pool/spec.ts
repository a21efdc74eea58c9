import type { ParseError } from "../../text/parse-error.ts";
import { parseGatePolicy } from "./gates.ts";
import { type IntOrPercent, parseIntOrPercent } from "./int-or-percent.ts";
import { type LabelSelector, invalidSelectorReason } from "../../text/label-selector.ts";
import type { Parse, RawHealthChecks, RawPoolSpec } from "./raw-spec.ts";
import { parseOsImage } from "./target.ts";
import type {
  Agent,
  CordonedNodes,
  HealthChecks,
  NodePoolSpec,
  OnDrainTimeout,
  OnHalt,
  RebootPolicy,
} from "./node-pool.ts";
import { parseBlockingAlerts } from "./alerts.ts";
import { parseNodeAnalysis } from "../node/analysis.ts";
import { parseWaves } from "../waves/waves.ts";
import { parseWindow } from "../../schedule/maintenance-windows.ts";

export interface ParsedSpec {
  readonly spec: NodePoolSpec;
  /** One sentence for each invalid value. The pool is Degraded/InvalidSpec, and nothing is changed. */
  readonly problems: readonly string[];
}

/** Parses every field and reports every problem. An invalid value is replaced by its default, next to its problem. */
export function parseSpec({ nodeSelector, image, rollout = {}, ...rest }: RawPoolSpec): ParsedSpec {
  const problems: string[] = [];
  const addProblem: AddProblem = (field, reason) => void problems.push(`${field}: ${reason}`);
  const spec: NodePoolSpec = {
    nodeSelector: parseSelector(nodeSelector, addProblem),
    imageRef: parseImage(image?.ref ?? "", addProblem),
    maxUnavailable: parseAmount("rollout.maxUnavailable", rollout.maxUnavailable, oneNode, addProblem),
    topologyKey: parseTopologyKey(rollout.topologyKey, addProblem),
    paused: rollout.paused ?? false,
    preStageWhilePaused: rollout.preStageWhilePaused ?? true,
    stageAhead: parseStageAhead(rollout.stageAhead ?? "all", addProblem),
    haltThreshold: parseThreshold(rollout.haltThreshold, addProblem),
    onHalt: parseChoice("rollout.onHalt", rollout.onHalt, onHaltChoices, addProblem),
    drainTimeoutSeconds: parseTimeout("rollout.drainTimeoutSeconds", rollout.drainTimeoutSeconds, addProblem),
    onDrainTimeout: parseChoice("rollout.onDrainTimeout", rollout.onDrainTimeout, onDrainTimeoutChoices, addProblem),
    rebootTimeoutSeconds: parseTimeout(
      "rollout.rebootTimeoutSeconds",
      rollout.rebootTimeoutSeconds ?? defaultRebootTimeoutSeconds,
      addProblem,
    ),
    stagingTimeoutSeconds: parseTimeout("rollout.stagingTimeoutSeconds", rollout.stagingTimeoutSeconds, addProblem),
    minReadySeconds:
      parseTimeout("rollout.minReadySeconds", rollout.minReadySeconds ?? defaultMinReadySeconds, addProblem) ?? 0,
    drain: { force: rollout.drain?.force ?? true, deleteEmptyDirData: rollout.drain?.deleteEmptyDirData ?? true },
    cordonedNodes: parseChoice("rollout.cordonedNodes", rollout.cordonedNodes, cordonedChoices, addProblem),
    checksDaemonSets: rollout.healthChecks?.daemonSetsAsBefore ?? true,
    healthChecks: parseHealthChecks(rollout.healthChecks ?? {}),
    windows: parseWindows(rollout.windows ?? [], addProblem),
    dependsOn: rest.dependsOn ?? [],
    allowEmpty: rest.allowEmpty ?? false,
    steps: parseOwn(rest.steps, [], parseWaves, (reason) => problems.push(reason)),
    analysis: parseOwn(rest.analysis, null, parseNodeAnalysis, (reason) => addProblem("analysis", reason)),
    blockOnAlerts: parseOwn(rest.blockOnAlerts, null, parseBlockingAlerts, (reason) =>
      addProblem("blockOnAlerts", reason),
    ),
    gatePolicy: parseGatePolicy(rest, addProblem),
    rebootPolicy: parseChoice("disruption.rebootPolicy", rest.disruption?.rebootPolicy, rebootPolicies, addProblem),
    pullSecretRef: rest.pullSecretRef ?? null,
    agent: parseChoice("agent", rest.agent, agents, addProblem),
  };
  return { spec, problems };
}

type AddProblem = (field: string, reason: string) => void;

const rebootPolicies = ["RebootOnly", "AllowSoftReboot"] as const satisfies readonly RebootPolicy[];
const onHaltChoices = ["Hold", "Rollback"] as const satisfies readonly OnHalt[];
const onDrainTimeoutChoices = ["Report", "GiveBack", "Force"] as const satisfies readonly OnDrainTimeout[];
const cordonedChoices = ["Skip", "Include"] as const satisfies readonly CordonedNodes[];
const agents = ["Daemon", "RunCommand"] as const satisfies readonly Agent[];
const oneNode: IntOrPercent = { unit: "nodes", amount: 1 };
const twoNodes: IntOrPercent = { unit: "nodes", amount: 2 };
/** Virtual machines are back within 3 minutes, most servers within 15. */
const defaultRebootTimeoutSeconds = 900;
const defaultMinReadySeconds = 60;

function parseSelector(selector: LabelSelector | undefined, addProblem: AddProblem): LabelSelector {
  const problem = selector === undefined ? "is missing: {} would select every node" : invalidSelectorReason(selector);
  if (problem !== null) addProblem("nodeSelector", problem);
  return selector ?? {};
}

const labelKey = /^(?:[a-z0-9.-]+\/)?[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/;

function parseTopologyKey(key: string | undefined, addProblem: AddProblem): string | null {
  if (key === undefined) return null;
  if (!labelKey.test(key)) addProblem("rollout.topologyKey", `"${key}" is not the key of a label`);
  return key;
}

function parseImage(ref: string, addProblem: AddProblem): string {
  const image = parseOsImage(ref);
  if (image.kind === "invalid") addProblem("image.ref", image.reason);
  return ref;
}

function parseAmount(
  field: string,
  value: number | string | undefined,
  defaultValue: IntOrPercent,
  addProblem: AddProblem,
): IntOrPercent {
  const amount: IntOrPercent | ParseError = value === undefined ? defaultValue : parseIntOrPercent(value);
  if (!("kind" in amount)) return amount;
  addProblem(field, amount.reason);
  return defaultValue;
}

/** 0 would halt a healthy rollout. */
function parseThreshold(value: number | string | undefined, addProblem: AddProblem): IntOrPercent {
  const threshold = parseAmount("rollout.haltThreshold", value, twoNodes, addProblem);
  if (threshold.amount > 0) return threshold;
  addProblem("rollout.haltThreshold", "must be 1 or more");
  return twoNodes;
}

/** With 0, no node could ever acquire a slot. */
function parseStageAhead(value: number | string, addProblem: AddProblem): number | null {
  if (value === "all") return null;
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return value;
  addProblem("rollout.stageAhead", `"${value}" is neither all nor a number of nodes, 1 or more`);
  return null;
}

/** 0 means no timeout, as in `kubectl drain`. */
function parseTimeout(field: string, seconds: number | undefined, addProblem: AddProblem): number | null {
  if (seconds === undefined || seconds === 0) return null;
  if (Number.isInteger(seconds) && seconds > 0) return seconds;
  addProblem(field, `"${seconds}" is not a whole number of seconds`);
  return null;
}

/** A condition of which no status is named must be True. */
function parseHealthChecks({ conditions = [], daemonSets = [] }: RawHealthChecks): HealthChecks {
  return { conditions: conditions.map(({ type, status = "True" }) => ({ type, status })), daemonSets };
}

function parseWindows(
  written: NonNullable<NonNullable<RawPoolSpec["rollout"]>["windows"]>,
  addProblem: AddProblem,
): NodePoolSpec["windows"] {
  return written.flatMap((text, index) => {
    const window = parseWindow(text);
    if (window.kind === "window") return [window];
    addProblem(`rollout.windows[${index}]`, window.reason);
    return [];
  });
}

/** Parses a value with a schema of its own. Absent or invalid, it takes the default. */
function parseOwn<Value>(
  written: unknown,
  absent: Value,
  parse: Parse<Value>,
  report: (reason: string) => void,
): Value {
  if (written === undefined) return absent;
  const parsed = parse(written);
  if (parsed.kind === "valid") return parsed.value;
  for (const { reason } of parsed.problems) report(reason);
  return absent;
}

/** Parses one of several values; the first is the default. */
function parseChoice<const Choice extends string>(
  field: string,
  word: string | undefined,
  choices: readonly [Choice, ...Choice[]],
  addProblem: AddProblem,
): Choice {
  const choice = choices.find((one) => one === word);
  if (word !== undefined && choice === undefined) addProblem(field, `"${word}" is neither ${choices.join(" nor ")}`);
  return choice ?? choices[0];
}
