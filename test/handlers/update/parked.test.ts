import { describe, expect, test } from "vitest";
import { fakePorts, Killed } from "../../support/fake-ports.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { adoptUpdate } from "../../../functions/handlers/adopt-update.ts";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { checkReadiness } from "../../../functions/handlers/check-readiness.ts";
import { continueAsNew } from "../../../functions/handlers/continue-as-new.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { after, completeRollout, image, noon, target, updatingWorkload, workload } from "../../support/workloads.ts";
import { around, expectSelectable, step } from "../steps.ts";

const zero = { ...completeRollout, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0, template: "t-1" };
const rollingOut = { ...completeRollout, readyReplicas: 2, template: "t-1" };
const checkStep = { ...step, executionStartedAt: noon.toISOString() };
const withClaim = (found: Workload, minutes: number) => ({
  ...found,
  record: { ...found.record, claimExpiresAt: after(minutes) },
});

test("a workload that is scaled to 0 gets its image, and its update is parked at once", async () => {
  const ports = around(workload({ rollout: { ...zero, image } }));
  expect(await applyUpdate(ports, step)).toMatchObject({ kind: "applied" });
  const result = await checkReadiness(ports, checkStep);
  expect(result).toEqual({ kind: "parked", waitSeconds: 3600, reason: "not judged while it is scaled to 0" });
  expectSelectable("CheckReadiness", result);
  expect(ports.cluster.get()).toMatchObject({
    image: target,
    inFlight: { execution: "e-1", parked: { reason: "NoReplicas", since: noon } },
  });
});

test("the sleep grows to six hours, with one write for each, and lasts after a day in the next execution", async () => {
  const ports = around(withClaim(updatingWorkload({ rollout: zero }), 25));
  const waits: number[] = [];
  let result = await checkReadiness(ports, checkStep);
  for (; result.kind === "parked"; result = await checkReadiness(ports, checkStep)) {
    waits.push(result.waitSeconds / 3600);
    ports.pass(result.waitSeconds);
  }
  expect(waits).toEqual([1, 1, 2, 4, 6, 6, 6]);
  expect(result.kind).toBe("continue");
  await continueAsNew(ports, step);
  const execution = ports.executions.started[0]?.name ?? "";
  await adoptUpdate(ports, { ...step, execution });
  const next = { ...step, execution, executionStartedAt: ports.now().toISOString() };
  expect(await checkReadiness(ports, next)).toMatchObject({ kind: "parked", waitSeconds: 6 * 3600 });
  expect(ports.cluster.get().inFlight).toMatchObject({ parked: { since: noon } });
});

describe("an execution that is killed", () => {
  const moments = ["before change", "after change"] as const;
  test.for(moments)("%s, when it parks an update, loses nothing", async (killed) => {
    let isKilled = false;
    const ports = fakePorts({
      workloads: [withClaim(updatingWorkload({ rollout: zero }), 25)],
      atMoment(moment) {
        if (moment !== killed || isKilled) return;
        isKilled = true;
        throw new Killed("killed");
      },
    });
    await expect(checkReadiness(ports, checkStep)).rejects.toThrow(Killed);
    ports.cluster.put(withClaim({ ...ports.cluster.get(), rollout: rollingOut }, 400));
    expect(await pollCluster(ports)).toMatchObject({ adopted: 1 });
    const execution = ports.executions.started[0]?.name ?? "";
    expect(await adoptUpdate(ports, { ...step, execution })).toMatchObject({ kind: "adopted" });
    const next = { ...checkStep, execution };
    expect(await checkReadiness(ports, next)).toMatchObject({ kind: "progressing" });
    ports.cluster.put({ ...ports.cluster.get(), rollout: { ...rollingOut, readyReplicas: 3 } });
    expect(await checkReadiness(ports, next)).toMatchObject({ kind: "ready" });
  });
});
