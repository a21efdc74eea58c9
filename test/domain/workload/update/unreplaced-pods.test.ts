import { expect, test } from "vitest";
import { assessReadiness } from "../../../../functions/domain/workload/update/readiness.ts";
import { after, completeRollout, workload } from "../../../support/workloads.ts";
import { restartInFlight } from "../../../support/digest-workloads.ts";

test("pods that its controller has not replaced yet run the previous digest, which shows nothing", () => {
  const rollout = { ...completeRollout, updatedReplicas: 1, oldReplicas: 2, readyReplicas: 2 };
  const stale = "a pod still runs the previous digest";
  const assess = (failing: number) =>
    assessReadiness(rollout, workload(), restartInFlight, after(11), { stale, failing }).kind;
  expect(assess(0)).toBe("not-started");
  expect(assess(1)).toBe("expired");
});
