import { expect, test } from "vitest";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { change, createWorkload, read, patchObject, type At } from "../harness.ts";
import { hold } from "../steps.ts";
import { imageTarget } from "../../../support/workloads.ts";

/** Tests the record of a Claw in its annotations and conditions. */
export function testReadingClaw(at: At): void {
  test.for([
    {
      when: "set manually",
      phase: "HealthCheck",
      started: "2026-11-20T12:00:00Z",
      at: new Date("2026-11-20T12:00:00Z"),
    },
    {
      when: "with a start time in another time zone",
      phase: "HealthCheck",
      started: "2026-11-20T13:00:00+01:00",
      at: new Date("2026-11-20T12:00:00Z"),
    },
    { when: "with an invalid start time", phase: "HealthCheck", started: "not-a-time", at: "malformed" },
    { when: "with another phase", phase: "Updating", started: "2026-11-20T12:00:00Z", at: null },
  ])("update annotations $when", async ({ phase, started, at: startedAt }) => {
    const annotations = {
      "claw.prismer.ai/target-image": "app:2.0.0",
      "claw.prismer.ai/update-phase": phase,
      "claw.prismer.ai/update-started": started,
    };
    const ref = await createWorkload(at(), "Claw", { annotations });
    const inFlight = {
      target: imageTarget("app:2.0.0"),
      startedAt,
      execution: null,
      previousImage: null,
      digests: null,
      phase: "rollout",
    };
    expect((await read(at(), ref)).inFlight).toEqual(startedAt === null ? null : inFlight);
  });

  test("a back-off is read back from its condition until it ends", async () => {
    const ref = await createWorkload(at(), "Claw");
    const target = { kind: "image", image: "ghcr.io/prismer-ai/k8s4claw-openclaw:1.1.0" } as const;
    const until = new Date("2026-11-20T12:04:00Z");
    const backOff = { reason: "Refused", message: "denied", target, attempts: 3, until, execution: null } as const;
    expect((await change(at(), ref, () => ({ backOff }))).backOff).toEqual(backOff);
    expect((await change(at(), ref, () => ({ backOff: null }))).backOff).toBeNull();
  });

  test("the last reported hold and problem are read back from conditions, and not from annotations", async () => {
    const ref = await createWorkload(at(), "Claw");
    const annotations = { "pawl.dev/held": "the reason", "pawl.dev/problem": "the problem" };
    await patchObject(at(), ref, { metadata: { annotations } });
    expect((await read(at(), ref)).lastReported).toEqual({ held: null, problem: null });
    expect((await change(at(), ref, hold)).lastReported).toEqual(hold({} as Workload).lastReported);
    expect((await change(at(), ref, () => ({ lastReported: { held: null } }))).lastReported).toEqual({
      held: null,
      problem: "a typing error",
    });
  });
}
