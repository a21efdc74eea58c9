import { describe, expect, test } from "vitest";
import { checkCanary } from "../../functions/handlers/check-canary.ts";
import { after, canaryInFlight, canarying, canaryPods, inFlight, updating, workload } from "../support/workloads.ts";
import { look } from "./canary-steps.ts";
import { around, expectSelectable, recreated, writesNothing } from "./steps.ts";

const unready = { ...canaryPods, readyReplicas: 0 };
const patient = { healthTimeoutSeconds: 7 * 86_400 };
const givenUp = { ...canaryInFlight, startedAt: "malformed", phase: "rollback" } as const;

describe("changes nothing, and says", () => {
  test.for([
    { when: "the canary is ready", seen: canarying(), kind: "ready" },
    { when: "it is ready after a day", seen: canarying(), minutes: 1500, kind: "ready" },
    { when: "it is not ready", seen: canarying({ canary: unready }), kind: "progressing", waitSeconds: 15 },
    { when: "it is not there yet", seen: canarying({ canary: null }), kind: "progressing", waitSeconds: 15 },
    { when: "its time is up", seen: canarying({ canary: unready }), minutes: 11, kind: "expired" },
    {
      when: "the execution is more than a day old",
      seen: canarying({ canary: unready, policy: patient }),
      minutes: 1441,
      kind: "handover",
      waitSeconds: 60,
    },
    {
      when: "the execution is almost a day old",
      seen: canarying({ canary: unready, policy: patient }),
      minutes: 1440,
      kind: "progressing",
      waitSeconds: 60,
    },
    { when: "a person promotes it", seen: canarying({ verdict: "promote", canary: unready }), kind: "promoted" },
    { when: "a person aborts it", seen: canarying({ verdict: "abort" }), kind: "expired" },
    { when: "it was switched off", seen: canarying({ policy: { enabled: false } }), kind: "expired" },
    {
      when: "its start cannot be read",
      seen: canarying({ canary: unready, inFlight: { ...canaryInFlight, startedAt: "malformed" } }),
      kind: "expired",
    },
    { when: "it was promoted before", seen: updating(), kind: "promoted" },
    { when: "its rollback was interrupted", seen: workload({ inFlight: givenUp }), kind: "expired" },
    { when: "it is gone", seen: null, kind: "superseded" },
    { when: "another has taken its name", seen: recreated(canarying()), kind: "superseded" },
    { when: "nothing is in flight any more", seen: workload(), kind: "superseded" },
    {
      when: "another execution holds the claim",
      seen: canarying({ inFlight: { ...inFlight, execution: "e-2" } }),
      kind: "superseded",
    },
    { when: "a person changed the image", seen: canarying({ image: "app:hotfix" }), kind: "superseded" },
  ])("$kind where $when", async ({ seen, minutes = 1, kind, waitSeconds = 0 }) => {
    const ports = around(seen, { now: after(minutes), atMoment: writesNothing });
    const answer = await checkCanary(ports, look);
    expect(answer).toMatchObject({ kind, waitSeconds, reason: expect.stringMatching(/./) });
    expectSelectable("CheckCanary", answer);
  });
});
