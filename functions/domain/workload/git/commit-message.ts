import { versionNameOf } from "../../image/reference.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";

/** An image that a commit writes for a workload. */
export interface CommittedImage {
  readonly workload: Pick<Workload, "ref" | "image">;
  readonly inFlight: InFlight;
  readonly image: string;
}

/** Describes a commit: what it updates and rolls back, and by which executions. */
export function describeCommit(images: readonly CommittedImage[]): {
  readonly headline: string;
  readonly body: string;
} {
  const [first] = images;
  const headline = images.length === 1 && first !== undefined ? describeOne(first) : describeSeveral(images);
  const lines = images.map(
    ({ workload: { ref, image: before }, inFlight: { execution }, image }) =>
      `- ${ref.kind} ${ref.namespace}/${ref.name}: ${before} -> ${image} (execution ${execution})`,
  );
  return { headline, body: lines.join("\n") };
}

function describeOne({ workload: { ref }, inFlight: { phase }, image }: CommittedImage): string {
  const verb = phase === "rollback" ? "Roll back" : "Update";
  return `${verb} ${ref.namespace}/${ref.name} to ${versionNameOf(image)}`;
}

function describeSeveral(images: readonly CommittedImage[]): string {
  const rollbacks = images.filter(({ inFlight }) => inFlight.phase === "rollback").length;
  const updates = images.length - rollbacks;
  const parts = [
    ...(updates > 0 ? [`Update ${count(updates)}`] : []),
    ...(rollbacks > 0 ? [`${updates > 0 ? "roll" : "Roll"} back ${count(rollbacks)}`] : []),
  ];
  return parts.join(", ");
}

function count(workloads: number): string {
  return workloads === 1 ? "1 workload" : `${workloads} workloads`;
}
