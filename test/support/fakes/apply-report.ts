import { matchDigest } from "../../../functions/domain/node-pool/agent/match-digest.ts";
import type { AgentReport } from "../../../functions/domain/node-pool/agent/agent-report.ts";
import type { BootcNode } from "../../../functions/domain/node-pool/node/bootc-node.ts";

/** Returns a BootcNode after its status was written. */
export function applyReport(bootcNode: BootcNode, report: AgentReport): BootcNode {
  const { images, activity, error, command, observedGeneration } = report;
  const digest = (image: Parameters<typeof matchDigest>[0]) => matchDigest(image, bootcNode.desiredImage);
  const isObserved = observedGeneration >= bootcNode.generation;
  const reported = { ...bootcNode, idle: { activity }, error, command, isObserved };
  if (images === null) return reported;
  const { booted, staged, rollback } = images;
  return { ...reported, bootedDigest: digest(booted), stagedDigest: digest(staged), rollbackDigest: digest(rollback) };
}
