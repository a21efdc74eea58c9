import { formatCommand } from "../../../domain/node-pool/agent/command-record.ts";
import { slotAnnotations } from "../../../domain/node-pool/names.ts";
import type { AgentReport } from "../../../domain/node-pool/report.ts";
import type { PoolNode } from "../../../domain/node-pool/types.ts";
import { Conflict } from "../../errors.ts";
import type { ClusterScopedApi } from "../cluster-scoped.ts";
import { type BootcNodeObject, readBootcNode } from "./bootc-node-object.ts";
import { reportPatch } from "./report-patch.ts";
import { bootcNodeResource } from "./resources.ts";
import { onVersion } from "./step-patch.ts";

/**
 * The status goes before the command: a command whose outcome was written and that is still remembered is asked after once
 * more, and comes to the same.
 */
export async function writeReport(
  node: PoolNode,
  report: AgentReport,
  api: ClusterScopedApi,
  now: Date,
): Promise<PoolNode> {
  const { name, bootcNode } = node;
  const found = await api.get<BootcNodeObject>(bootcNodeResource, name);
  if (found === null || bootcNode === null) throw new Conflict(`BootcNode ${name} is gone`);
  if (found.metadata.resourceVersion !== bootcNode.resourceVersion) {
    throw new Conflict(`BootcNode ${name} has changed since it was read`);
  }
  const reported = await writeStatus(found, report, api, now);
  return { ...node, bootcNode: readBootcNode(await writeCommand(reported, report, api)) };
}

async function writeStatus(object: BootcNodeObject, report: AgentReport, api: ClusterScopedApi, now: Date) {
  const { name, resourceVersion } = object.metadata;
  const status = reportPatch(report, object.status, now);
  if (status === null) return object;
  const body = { metadata: { resourceVersion }, status };
  return api.patch<BootcNodeObject>(bootcNodeResource, name, body, "status");
}

async function writeCommand(object: BootcNodeObject, { command }: AgentReport, api: ClusterScopedApi) {
  const { name, resourceVersion, annotations = {} } = object.metadata;
  const text = command === null ? null : formatCommand(command);
  if (text === (annotations[slotAnnotations.command] ?? null)) return object;
  const body = onVersion(resourceVersion, { annotations: { [slotAnnotations.command]: text } });
  return api.patch<BootcNodeObject>(bootcNodeResource, name, body);
}
