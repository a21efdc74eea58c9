import { expect, test } from "vitest";
import { beginStep } from "../../../functions/domain/workload/canary/progress.ts";
import { parseCanarySteps } from "../../../functions/domain/workload/canary/steps.ts";
import { analyzeCanary } from "../../../functions/handlers/analyze-canary.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { canaryStep, checkStep } from "../../handlers/canary/canary-steps.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import {
  after,
  canaryWorkload,
  image,
  imageTarget,
  noon,
  policy,
  type WorkloadParts,
} from "../../support/workloads.ts";

const newer = "registry.example/shop/app:1.2.0";
const steps = parseCanarySteps([{ size: 1 }, { pause: { duration: "1h" } }, { size: 2, pause: {} }]);
if (steps.kind === "invalid") throw new Error("the steps of this test");
const stepped = { ...policy, canary: { unit: "replicas", amount: 1 } as const, canarySteps: steps.value };

/** Polls while a canary of 1.1.0 runs at a step, after 1.2.0 was published. */
async function pollDuring(step: number, parts: WorkloadParts = {}) {
  const { policy: own, ...rest } = parts;
  const progress = beginStep(stepped, step, noon);
  const initial = canaryWorkload({ policy: { ...stepped, ...own }, canaryProgress: progress, ...rest });
  const ports = fakePorts({ workloads: [initial], tags: { "shop/app": ["1.0.0", "1.1.0", "1.2.0"] }, now: after(3) });
  await ports.executions.start("e-1", {} as never);
  await pollCluster(ports);
  return { ports, started: ports.executions.started.slice(1) };
}

test("a newer version takes the place of a canary, which is neither counted nor blamed", async () => {
  const { ports, started } = await pollDuring(2);
  expect(started.map(({ input }) => input)).toMatchObject([{ target: { image: newer }, strategy: "canary" }]);
  const own = { ...canaryStep, target: imageTarget(newer), execution: started[0]?.name ?? "" };
  expect(await startCanary(ports, own)).toMatchObject({ kind: "started", step: "1/4 (1 replica)" });
  expect(await startCanary(ports, own)).toMatchObject({ kind: "started", step: "1/4 (1 replica)" });
  expect(ports.cluster.get()).toMatchObject({
    image,
    canary: { image: newer },
    inFlight: { execution: own.execution, previousImage: image },
    updateRecord: {
      rollbackCount: 0,
      failedVersions: [],
      versionHistory: [{ version: "1.1.0", status: "Superseded", reason: "superseded by 1.2.0" }],
    },
  });
  expect(await analyzeCanary(ports, checkStep)).toMatchObject({ kind: "superseded" });
});

test.for<{ when: string; step?: number; parts?: WorkloadParts }>([
  { when: "its owner lets it wait", parts: { policy: { onNewVersion: "wait" } } },
  { when: "the canary waits for a person", step: 4 },
  { when: "a person has promoted the canary", parts: { verdict: "promote" } },
  { when: "it is outside the constraint", parts: { policy: { versionConstraint: "~1.1" } } },
  { when: "updates are paused", parts: { policy: { paused: true } } },
])("it waits if $when", async ({ step = 2, parts = {} }) => {
  const { ports, started } = await pollDuring(step, parts);
  expect(started).toEqual([]);
  expect(ports.cluster.get().inFlight).toMatchObject({ execution: "e-1" });
});

test("the canary continues if its owner lets newer versions wait meanwhile", async () => {
  const { ports, started } = await pollDuring(2);
  const initial = ports.cluster.get();
  const waiting = canaryWorkload({ ...initial, policy: { ...stepped, onNewVersion: "wait" } });
  const later = fakePorts({ workloads: [waiting], now: after(4) });
  const own = { ...canaryStep, target: imageTarget(newer), execution: started[0]?.name ?? "" };
  expect(await startCanary(later, own)).toMatchObject({ kind: "superseded" });
  expect(later.cluster.get().inFlight).toEqual(initial.inFlight);
});
