import { expect, test } from "vitest";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import type { FakePorts } from "../../support/fake-ports.ts";
import { completeRollout, inFlight, updatingWorkload, workload, imageTarget } from "../../support/workloads.ts";
import { around, step } from "../steps.ts";

const pushed = "registry.example/shop/app:1.2.0";
const ref = { ...workload().ref, kind: "DaemonSet" };
/** 1.1.0 broke one of three pods; none was unavailable before it. */
const rollout = { ...completeRollout, podsPer: "node", updatedReplicas: 1, oldReplicas: 2, readyReplicas: 2 } as const;
const initial = updatingWorkload({
  ref,
  inFlight: { ...inFlight, execution: "e-0" },
  rollout,
  request: { verb: "push", argument: "1.2.0", token: "t-1" },
});

const input = { ...step, target: imageTarget(pushed) };

function portsOf() {
  let isArmed = false;
  const ports = around(initial, {
    atMoment(moment) {
      if (isArmed && moment === "after change") throw new Error("killed");
    },
  });
  return { ports, arm: (isTrue: boolean) => void (isArmed = isTrue) };
}

/** Applies the push, of which one pod does not become ready. Returns how many may be unready, and the verdict past the deadline. */
async function applyFailing(ports: FakePorts) {
  await applyUpdate(ports, input);
  const applied = ports.cluster.get();
  const unready = { ...rollout, image: pushed, updatedReplicas: 3, oldReplicas: 0, readyReplicas: 2 };
  ports.cluster.put({ ...applied, rollout: unready });
  ports.pass(660);
  const { kind } = await checkReadiness(ports, { ...input, executionStartedAt: ports.now().toISOString() });
  return { image: applied.image, tolerated: applied.inFlight?.unavailableBefore ?? 0, kind };
}

const expired = { image: pushed, tolerated: 0, kind: "expired" };

test("a push over a failing update tolerates no unready pod", async () => {
  expect(await applyFailing(portsOf().ports)).toEqual(expired);
});

test("nor does one that is killed between its two writes", async () => {
  const { ports, arm } = portsOf();
  arm(true);
  await expect(applyUpdate(ports, input)).rejects.toThrow("killed");
  arm(false);
  // The pod that 1.1.0 broke is not replaced yet. Those of the fake cluster are ready at once.
  const found = ports.cluster.get();
  ports.cluster.put({ ...found, rollout: { ...rollout, image: found.image } });
  expect(await applyFailing(ports)).toEqual(expired);
});
