import type { UpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import type { StepInput } from "../../../functions/contract/workload-update.ts";
import type { WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import { imageTarget } from "../../support/workloads.ts";

export const repository = { app: "registry.invalid/shop/app", proxy: "registry.invalid/proxy" };
export const forgedExecution = "forged-execution";

const rollingBack = { phase: "RollingBack", restorePending: true } as const;
export const forgeries: readonly { readonly forgery: string; readonly update: Partial<UpdateStatus> }[] = [
  { forgery: "another repository", update: { target: imageTarget("evil.invalid/miner:1") } },
  { forgery: "another path of the registry", update: { target: imageTarget("registry.invalid/shop/app/miner:1.0.0") } },
  { forgery: "the repository of another container", update: { target: imageTarget(`${repository.proxy}:9.9.9`) } },
  { forgery: "another uid", update: { targetUID: "00000000-0000-0000-0000-000000000000" } },
  { forgery: "no image", update: { target: imageTarget(`${repository.app}:1.0.0 evil.invalid/miner:1`) } },
  {
    forgery: "a canary of another repository",
    update: { target: imageTarget("evil.invalid/miner:1"), strategy: "Canary" },
  },
];

export const forgedPrevious: readonly { readonly forgery: string; readonly update: Partial<UpdateStatus> }[] = [
  { forgery: "in an update that fails", update: { previousImage: "evil.invalid/miner:1" } },
  { forgery: "in a rollback that was interrupted", update: { previousImage: "evil.invalid/miner:1", ...rollingBack } },
  {
    forgery: "of another container, in the rollback of a restart",
    update: { previousImage: `${repository.proxy}:9.9.9`, strategy: "Restart", ...rollingBack },
  },
];

/** An update as a step of Pawl writes it. No such execution exists. */
export function inventUpdate({ uid }: WorkloadRef): UpdateStatus {
  return {
    phase: "Claimed",
    strategy: "Rolling",
    holder: "pawl",
    execution: forgedExecution,
    expiresAt: "2026-01-01T00:00:00Z",
    target: imageTarget(`${repository.app}:6.6.6`),
    previousImage: `${repository.app}:1.0.0`,
    targetUID: uid,
    targetGeneration: 1,
    startedAt: "2026-01-01T00:00:00Z",
  };
}

export function stepFor(workload: WorkloadRef, image: string): StepInput {
  return {
    cluster: "real",
    workload,
    target: imageTarget(image),
    strategy: "rolling",
    digests: "",
    adopting: false,
    execution: forgedExecution,
  };
}

export function deploymentWithProxy(name: string) {
  const labels = { app: name };
  const containers = [
    { name: "app", image: `${repository.app}:1.0.0` },
    { name: "proxy", image: `${repository.proxy}:3.1.4` },
  ];
  return {
    metadata: { name, annotations: { "pawl.dev/auto-update": "true", "pawl.dev/canary": "1" } },
    spec: { replicas: 2, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}
