import { expect, test } from "vitest";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { createEvaluator } from "../../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import {
  config,
  configDigest,
  configInFlight,
  configTarget,
  configWorkload,
} from "../../../support/workloads/config-workloads.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { after, image, inFlight, noon, policy, target, workload, updateTarget } from "../../../support/workloads.ts";

const changed = { "configmap/app": configDigest(2) };
const restart = { kind: "update", target: configTarget, digests: changed };
const atOnce = { settleSeconds: 0, minimumIntervalSeconds: 0 };
const request = { verb: "push", argument: "1.1.0", token: "t-1" };
const backOff = {
  reason: "Failed" as const,
  message: "no",
  attempts: 3,
  until: after(60),
  execution: "e-1",
};

/** Returns the decision if the configuration has its second digest, and the repositories whose tags were listed. */
async function decide(subject: Workload, pushed: readonly string[] = ["1.0.0"]) {
  const ports = fakePorts({ workloads: [subject], tags: { "shop/app": pushed }, config: () => changed, now: noon });
  return { decision: await createEvaluator(ports)(subject), listed: ports.listed };
}

test.for<{ when: string; subject: Workload; pushed?: readonly string[]; expected: object; listed: number }>([
  {
    when: "only the configuration is tracked: no registry is asked",
    subject: configWorkload(),
    expected: restart,
    listed: 0,
  },
  { when: "no newer tag exists", subject: workload({ policy: atOnce, config }), expected: restart, listed: 1 },
  {
    when: "a newer tag exists: one rollout",
    subject: workload({ policy: atOnce, config }),
    pushed: ["1.0.0", "1.1.0"],
    expected: { kind: "update", target: updateTarget, digests: changed },
    listed: 1,
  },
  {
    when: "a person pushes a version: one rollout",
    subject: workload({ policy: atOnce, config, request }),
    pushed: ["1.0.0", "1.1.0"],
    expected: { kind: "update", target: updateTarget, isRequested: true, digests: changed },
    listed: 1,
  },
  {
    when: "a person asks for a restart: it is the one for the configuration too",
    subject: configWorkload({ request: { verb: "restart", argument: null, token: "t-1" } }),
    expected: { kind: "update", target: { kind: "restart", image }, digests: changed },
    listed: 0,
  },
  {
    when: "a newer tag exists that backs off: it does not delay the restart",
    subject: workload({ policy: atOnce, config, backOff: { ...backOff, reason: "Refused", target: updateTarget } }),
    pushed: ["1.0.0", "1.1.0"],
    expected: restart,
    listed: 1,
  },
  {
    when: "a newer tag and the restart back off",
    subject: workload({
      config,
      backOff: { ...backOff, reason: "Refused", target: updateTarget, other: { ...backOff, target: configTarget } },
    }),
    pushed: ["1.0.0", "1.1.0"],
    expected: { kind: "hold", reason: "back-off" },
    listed: 1,
  },
  {
    when: "the constraint is invalid",
    subject: workload({ config, policy: { versionConstraint: "one" } }),
    expected: { kind: "problem" },
    listed: 1,
  },
  {
    when: "it is paused",
    subject: configWorkload({ policy: { ...policy, paused: true } }),
    expected: { kind: "hold", reason: "paused" },
    listed: 0,
  },
  {
    when: "the restart backs off",
    subject: configWorkload({ backOff: { ...backOff, reason: "Refused", target: configTarget } }),
    expected: { kind: "hold", reason: "back-off", target: configTarget },
    listed: 0,
  },
  {
    when: "a restart for another configuration has stalled: it is tried with the new one",
    subject: configWorkload({
      inFlight: { ...configInFlight, target: { ...configTarget, digest: configDigest(3) } },
      restartedAt: noon,
      backOff: { ...backOff, target: { ...configTarget, digest: configDigest(3) } },
    }),
    expected: { kind: "hold", reason: "back-off", target: configTarget },
    listed: 0,
  },
  {
    when: "an update by tag has stalled: only a newer tag ends that",
    subject: workload({
      policy: atOnce,
      config,
      image: target,
      inFlight,
      backOff: { ...backOff, target: updateTarget },
    }),
    expected: { kind: "hold", reason: "back-off", target: null },
    listed: 1,
  },
])("$when", async ({ subject, pushed, expected, listed }) => {
  const found = await decide(subject, pushed);
  expect(found.decision).toMatchObject(expected);
  expect(found.listed).toHaveLength(listed);
});
