import type { UpdateInput } from "../contract.ts";
import { strategyOf } from "../domain/canary.ts";
import { formatDigests } from "../domain/digests.ts";
import type { Decision } from "../domain/decision.ts";
import { formatRfc3339 } from "../domain/time.ts";
import type { InFlight, Phase, Workload } from "../domain/workload.ts";
import { executionName } from "../execution-name.ts";
import type { Ports } from "../task.ts";
import { startOnce } from "./start-once.ts";

export type Act = "started" | "adopted" | "in-flight" | "recorded" | "none";

/** Does what was decided about one workload. Every part of it can be repeated. */
export async function act(ports: Ports, workload: Workload, decision: Decision): Promise<Act> {
  if (decision.kind === "adopt") return adoptLost(ports, workload, decision.inFlight);
  const recorded = await ports.checks.record(workload, decision);
  return decision.kind === "update" ? startUpdate(ports, workload, decision) : recorded;
}

type Update = Extract<Decision, { readonly kind: "update" }>;

async function startUpdate(ports: Ports, workload: Workload, update: Update): Promise<Act> {
  const { version, image, digests = {} } = update;
  const tried = workload.bookkeeping.versionHistory.filter((entry) => entry.version === version).length;
  const strategy = update.restart ? "restart" : strategyOf(workload.policy);
  const how = { strategy, digests: formatDigests(digests), recovering: false } as const;
  await start(ports, workload, image, how, (attempt) => `update ${tried + attempt}`);
  return "started";
}

/**
 * An update whose execution lives is left to it; otherwise another takes the claim over. Whoever stops the execution of a
 * canary wants the canary gone: that is adopted as an abort.
 */
async function adoptLost(ports: Ports, workload: Workload, inFlight: InFlight): Promise<Act> {
  const { execution, startedAt, targetImage } = inFlight;
  const state = execution === null ? "unknown" : await ports.executions.state(execution);
  if (state === "running") return "in-flight";
  const isAborted = inFlight.phase === "canary" && state === "aborted";
  const strategy = isAborted ? "abort" : strategyIn(inFlight.phase);
  const digests = formatDigests(inFlight.digests ?? {});
  const lost = execution ?? `by hand ${startedAt === "malformed" ? startedAt : formatRfc3339(startedAt)}`;
  await start(
    ports,
    workload,
    targetImage,
    { strategy, digests, recovering: true },
    (attempt) => `recover ${lost} ${attempt}`,
  );
  return "adopted";
}

function strategyIn(phase: Phase): UpdateInput["strategy"] {
  return phase === "canary" || phase === "restart" ? phase : "rolling";
}

async function start(
  { cluster, executions }: Ports,
  { ref }: Workload,
  image: string,
  how: Pick<UpdateInput, "strategy" | "digests" | "recovering">,
  nameOf: (attempt: number) => string,
): Promise<void> {
  const input: UpdateInput = { cluster: cluster.name, workload: ref, image, ...how };
  const nameAt = (attempt: number) => executionName(ref, image, nameOf(attempt));
  await startOnce(executions, nameAt, input, `${ref.namespace}/${ref.name} to ${image}`);
}
