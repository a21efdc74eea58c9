import { digestTowards } from "../../functions/domain/node-pool/agent/digest-towards.ts";
import type { AgentReport } from "../../functions/domain/node-pool/report.ts";
import type { BootcNode } from "../../functions/domain/node-pool/types.ts";

/** A BootcNode as it reads after its status was written. */
export function afterReport(bootcNode: BootcNode, report: AgentReport): BootcNode {
  const { images, activity, error, command, observedGeneration } = report;
  const digest = (image: Parameters<typeof digestTowards>[0]) => digestTowards(image, bootcNode.desiredImage);
  const isObserved = observedGeneration >= bootcNode.generation;
  const said = { ...bootcNode, idle: { activity }, error, command, isObserved };
  if (images === null) return said;
  const { booted, staged, rollback } = images;
  return { ...said, bootedDigest: digest(booted), stagedDigest: digest(staged), rollbackDigest: digest(rollback) };
}
