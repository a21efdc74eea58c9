import { describe, expect, test } from "vitest";
import { rollbackOf } from "../../support/rollback.ts";
import { checkCanary } from "../../../functions/handlers/check-canary.ts";
import {
  after,
  canaryInFlight,
  canaryWorkload,
  canaryPods,
  updatingWorkload,
  workload,
} from "../../support/workloads.ts";
import { checkStep } from "./canary-steps.ts";
import { around, expectSelectable, withNewUid, writesNothing } from "../steps.ts";

const unready = { ...canaryPods, readyReplicas: 0 };
const patient = { healthTimeoutSeconds: 7 * 86_400 };
const rollingBack = rollbackOf(canaryInFlight, { startedAt: "malformed" });

describe("writes nothing, and returns", () => {
  test.for([
    { when: "the canary is ready", initial: canaryWorkload(), kind: "ready" },
    { when: "it is ready after a day", initial: canaryWorkload(), minutes: 1500, kind: "ready" },
    { when: "it is not ready", initial: canaryWorkload({ canary: unready }), kind: "progressing", waitSeconds: 15 },
    { when: "the deadline has passed", initial: canaryWorkload({ canary: unready }), minutes: 11, kind: "expired" },
    {
      when: "the execution is almost a day old",
      initial: canaryWorkload({ canary: unready, policy: patient }),
      minutes: 1440,
      kind: "progressing",
      waitSeconds: 60,
    },
    { when: "it is aborted manually", initial: canaryWorkload({ verdict: "abort" }), kind: "expired" },
    { when: "auto-update is disabled", initial: canaryWorkload({ policy: { optIn: "no" } }), kind: "expired" },
    { when: "it was promoted before", initial: updatingWorkload(), kind: "promoted" },
    { when: "its rollback was interrupted", initial: workload({ inFlight: rollingBack }), kind: "expired" },
    { when: "the workload is deleted", initial: null, kind: "superseded" },
    { when: "the workload is recreated", initial: withNewUid(canaryWorkload()), kind: "superseded" },
    { when: "no update is in progress any more", initial: workload(), kind: "superseded" },
    { when: "the image is changed manually", initial: canaryWorkload({ image: "app:hotfix" }), kind: "superseded" },
  ])("$kind if $when", async ({ initial, minutes = 1, kind, waitSeconds = 0 }) => {
    const ports = around(initial, { now: after(minutes), atMoment: writesNothing });
    const result = await checkCanary(ports, checkStep);
    expect(result).toMatchObject({ kind, waitSeconds, reason: expect.stringMatching(/./) });
    expectSelectable("CheckCanary", result);
  });
});
