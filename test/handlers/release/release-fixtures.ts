import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { claim, release, released, snapshot } from "../../domain/workload/release/releases.ts";
import { type FakeOptions, fakePorts, type FakePorts } from "../../support/fake-ports.ts";
import { completeRollout, updateInput, type WorkloadParts } from "../../support/workloads.ts";

export const [one, two] = [release(1), release(2)];
const tags = { "registry.example/shop/app": ["1.1.0", "1.2.0"] };
export const step = {
  ...updateInput,
  target: { kind: "release", image: one.image, number: one.number },
  strategy: "release",
  execution: "e-1",
} as const;

/** Two releases, of which the second runs. */
export function running(parts: WorkloadParts = {}): Workload {
  return released([one, two], "hash-2", {
    image: two.image,
    source: two.image,
    rollout: { ...completeRollout, image: two.image },
    ...parts,
    policy: { healthTimeoutSeconds: 60, ...parts.policy },
    updateRecord: { currentVersion: "1.2.0", candidateVersion: "1.2.0", ...parts.updateRecord },
  });
}

/** The first release in flight: its template runs. */
export function restoring(parts: WorkloadParts = {}): Workload {
  const template = { image: one.image, source: one.image, rollout: { ...completeRollout, image: one.image } };
  return running({ ...template, releases: { list: [one, two], hash: "hash-1" }, inFlight: claim, ...parts });
}

export function around(initial: Workload, options: FakeOptions = {}): FakePorts {
  return fakePorts({ workloads: [initial], tags, snapshots: [snapshot(2), snapshot(1)], ...options });
}
