import { formatCommand } from "../../../domain/node-pool/agent/command-annotation.ts";
import { bootcNodeAnnotations } from "../../../domain/node-pool/pool/annotations.ts";
import type { AgentReport } from "../../../domain/node-pool/agent/agent-report.ts";
import type { PoolNode } from "../../../domain/node-pool/node/bootc-node.ts";
import { Conflict } from "../../../ports/errors.ts";
import type { ClusterScopedApi } from "../cluster-scoped.ts";
import { type BootcNodeObject, readBootcNode } from "./bootc-node-object.ts";
import { createReportPatch } from "./agent-report-patch.ts";
import { crdOutdated, prunedFields } from "../pruned-fields.ts";
import { bootcNodeResource, crdFolder } from "./resources.ts";
import { withResourceVersion } from "./step-patch.ts";

/**
 * Writes the status, then the command. If the second write is lost, the result of the command is fetched again and is
 * the same.
 */
export async function writeAgentReport(
  node: PoolNode,
  report: AgentReport,
  api: ClusterScopedApi,
  now: Date,
): Promise<PoolNode> {
  const { name, bootcNode } = node;
  const found = await api.get<BootcNodeObject>(bootcNodeResource, name);
  if (found === null || bootcNode === null) throw new Conflict(`BootcNode ${name} was deleted`);
  if (found.metadata.resourceVersion !== bootcNode.resourceVersion) {
    throw new Conflict(`BootcNode ${name} has changed since it was read`);
  }
  const reported = await writeStatus(found, report, api, now);
  return { ...node, bootcNode: readBootcNode(await writeCommand(reported, report, api)) };
}

async function writeStatus(object: BootcNodeObject, report: AgentReport, api: ClusterScopedApi, now: Date) {
  const { name, resourceVersion } = object.metadata;
  const status = createReportPatch(report, object.status, now);
  if (status === null) return object;
  const body = { metadata: { resourceVersion }, status };
  const written = await api.patch<BootcNodeObject>(bootcNodeResource, name, body, "status");
  const pruned = prunedFields(status, written.status);
  // A rollout would wait for a report that is never stored.
  if (pruned.length > 0) throw crdOutdated(bootcNodeResource, pruned, crdFolder);
  return written;
}

async function writeCommand(object: BootcNodeObject, { command }: AgentReport, api: ClusterScopedApi) {
  const { name, resourceVersion, annotations = {} } = object.metadata;
  const text = command === null ? null : formatCommand(command);
  if (text === (annotations[bootcNodeAnnotations.command] ?? null)) return object;
  const body = withResourceVersion(resourceVersion, { annotations: { [bootcNodeAnnotations.command]: text } });
  return api.patch<BootcNodeObject>(bootcNodeResource, name, body);
}
