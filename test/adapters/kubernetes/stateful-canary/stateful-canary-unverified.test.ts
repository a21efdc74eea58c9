import { afterAll, expect, test } from "vitest";
import type { Ports } from "../../../../functions/contract/ports.ts";
import type { StepInput } from "../../../../functions/contract/workload-update.ts";
import { checkRollback } from "../../../../functions/handlers/check-rollback.ts";
import { rollBack } from "../../../../functions/handlers/roll-back.ts";
import { startCanary } from "../../../../functions/handlers/start-canary.ts";
import { guardTask } from "../../../../functions/workflows/workload-update/guard-writes.ts";
import { applyWhenReady, first, openCanary, startCanaryCluster, target } from "./stateful-canary-harness.ts";

const cluster = await startCanaryCluster();
afterAll(() => cluster.close());

const verified = { kind: "verified", digest: `sha256:${"7".repeat(64)}`, reason: "signed by key release.pub" } as const;

/** Promotes a canary, whose pods then fail. `isProved`: a revision of the stable set has the image before it. */
async function failAfterPromotion(isProved: boolean) {
  const opened = await openCanary(cluster);
  const { input } = opened;
  const own = opened.ports.cluster;
  const imagesThatRan: typeof own.imagesThatRan = async (of) => (isProved ? own.imagesThatRan(of) : []);
  const ports: Ports = {
    ...opened.ports,
    cluster: { ...own, imagesThatRan },
    verifier: {
      scopes: [{ repositories: ["registry.invalid/shop"], namespaces: null, mode: "enforce" }],
      verify: async () => ({ kind: "unverified", digest: null, reason: "no valid signature" }),
    },
  };
  await startCanary(opened.ports, input);
  await applyWhenReady(opened.ports, input);
  const step: StepInput = { ...input, verification: verified };
  const images = async () => {
    const { spec } = await opened.set("stable");
    return { replicas: spec.replicas, images: spec.template.spec.containers.map(({ image }) => image) };
  };
  const reverted = await guardTask(rollBack)(ports, { ...step, verdict: "expired", reason: "not ready in time" });
  const after = await images();
  const check = { ...step, reason: "", executionStartedAt: ports.now().toISOString() };
  await expect.poll(() => guardTask(checkRollback)(ports, check)).not.toMatchObject({ kind: "progressing" });
  return { reverted, after, end: await images(), status: (await opened.object()).status };
}

const sidecar = "registry.invalid/proxy:3.1.4";

test("a promoted canary that fails is restored if a revision of its set has the image before it", async () => {
  const { reverted, after, end } = await failAfterPromotion(true);
  expect(reverted).toMatchObject({ kind: "reverting" });
  const restored = { replicas: 3, images: [first, sidecar] };
  expect([after, end]).toEqual([restored, restored]);
});

test("a promoted canary that fails keeps its image, complete, if nothing proves the one before it", async () => {
  const { reverted, after, end, status } = await failAfterPromotion(false);
  expect(reverted).toMatchObject({ kind: "reverting" });
  const kept = { replicas: 3, images: [target, sidecar] };
  expect([after, end]).toEqual([kept, kept]);
  expect(status?.autoUpdate?.failedVersions ?? []).toEqual([]);
});
