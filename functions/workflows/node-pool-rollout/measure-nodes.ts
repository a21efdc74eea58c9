import type { Ports } from "../../contract/ports.ts";
import { startAnalysis } from "../../domain/analysis/measure.ts";
import type { AnalysisSpec } from "../../domain/analysis/spec.ts";
import { analysisOf, findMeasuring, isMeasured, runOf } from "../../domain/node-pool/node/analysis.ts";
import type { Member, PoolNode } from "../../domain/node-pool/node/bootc-node.ts";
import { alertsQuery } from "../../domain/node-pool/pool/alerts.ts";
import { computeMembership } from "../../domain/node-pool/pool/membership.ts";
import type { NodePool } from "../../domain/node-pool/pool/node-pool.ts";
import type { PoolState } from "../../domain/node-pool/pool/pool-state.ts";
import { canAcquireSlot, holdsSlot } from "../../domain/node-pool/step/slots.ts";
import { secondsBetween } from "../../domain/text/rfc3339.ts";
import { mapConcurrent } from "../map-concurrent.ts";
import { measureMetrics, measurementErrors } from "../measure-metrics.ts";
import { skipReason } from "./skip-reason.ts";

type MeasuringPorts = Pick<Ports, "nodePools" | "metricProvider" | "now">;

/** Each has up to ten queries. */
const maxConcurrentNodes = 4;

/** After this time no further node is measured in a round: a provider that hangs must leave time for everything else. */
const maxSeconds = 15;

/**
 * Measures the nodes that soak, as the analysis of their pool says, and returns all nodes with what was recorded. Those that were measured
 * longest ago come first: a slow provider reaches each of them in some round.
 */
export async function measureNodes(
  ports: MeasuringPorts,
  pool: NodePool,
  nodes: readonly PoolNode[],
  signal?: AbortSignal,
): Promise<readonly PoolNode[]> {
  const { analysis } = pool.spec;
  if (analysis === null || pool.problems.length > 0) return nodes;
  const soaking = computeMembership(pool, nodes).members.filter((member) => isMeasured(member, pool));
  const startedAt = ports.now();
  const inTurn = [...soaking].sort((one, other) => measuredAt(one) - measuredAt(other));
  const measured = await mapConcurrent(inTurn, maxConcurrentNodes, async (member) => {
    const isLate = signal?.aborted || secondsBetween(startedAt, ports.now()) > maxSeconds;
    return isLate ? member : measureNode(ports, pool, member, analysis);
  });
  const byName = new Map(measured.map((node) => [node.name, node]));
  return nodes.map((node) => byName.get(node.name) ?? node);
}

/** In milliseconds since the epoch; 0 before the first measurement. */
function measuredAt({ bootcNode }: Member): number {
  return bootcNode.analysis?.measurements.at(-1)?.at.getTime() ?? 0;
}

/** A run without a result begins again later: what is unknown neither fails a node nor lets it pass. */
async function measureNode(
  ports: MeasuringPorts,
  pool: NodePool,
  member: Member,
  analysis: AnalysisSpec,
): Promise<PoolNode> {
  const measuring = findMeasuring(member, pool, ports.now());
  if (measuring === null || (measuring.isOver && measuring.waitSeconds > 0)) return member;
  const before = measuring.isOver ? null : runOf(member.bootcNode);
  const moment = { isRecorded: before !== null, isEnding: false };
  const spec = analysisOf(member, pool, analysis);
  const { state } = await measureMetrics(ports, spec, before ?? startAnalysis(ports.now()), moment);
  if (state === before) return member;
  try {
    return await ports.nodePools.write(pool, member, { kind: "record-analysis", state });
  } catch (error) {
    skipReason(error);
    return member;
  }
}

/**
 * Returns which alerts keep the nodes of a pool from acquiring slots; null if none does, or no node could acquire one. None keeps nodes from
 * going back: the image that they leave may be the cause.
 */
export async function readAlerts(
  { metricProvider }: Pick<Ports, "metricProvider">,
  { pool, desired, membership, failedDigest }: PoolState,
): Promise<string | null> {
  const { blockOnAlerts, paused } = pool.spec;
  const isCandidate = (one: Member) => !holdsSlot(one) && canAcquireSlot(one, desired?.image ?? "");
  if (blockOnAlerts === null || paused || failedDigest !== null || !membership.members.some(isCandidate)) return null;
  const { source, query } = alertsQuery(blockOnAlerts);
  const which = blockOnAlerts.matchers.join(", ");
  try {
    const reading = await (await metricProvider(source)).query(query);
    if (reading.kind !== "value") return `the alerts with ${which}, of which Prometheus returns no number`;
    return reading.value === 0 ? null : `the end of alerts with ${which}: ${reading.value} firing`;
  } catch (error) {
    if (!(error instanceof Error) || !measurementErrors.has(error.name)) throw error;
    return `the alerts with ${which}, which are unknown: ${error.message}`;
  }
}
