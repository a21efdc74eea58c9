import { describe, expect, test } from "vitest";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { observedPod } from "../../support/observed-pods.ts";
import {
  completeRollout,
  image,
  inFlight,
  noon,
  target,
  updatingWorkload,
  workload,
  updateTarget,
  imageTarget,
} from "../../support/workloads.ts";
import { around, expectSelectable, withNewUid, step, writesNothing } from "../steps.ts";
import { problemsOf } from "../../support/problems.ts";

test("claims the workload and sets the image in one write, and emits an event", async () => {
  const ports = around(workload());
  const result = await applyUpdate(ports, step);
  expect(result).toEqual({ kind: "applied", waitSeconds: 15, reason: `set ${target}` });
  expect(ports.cluster.get()).toMatchObject({
    resourceVersion: "8",
    image: target,
    inFlight: { target: updateTarget, startedAt: noon, execution: "e-1", previousImage: image },
    updateRecord: { currentVersion: "1.0.0", candidateVersion: "1.1.0", lastUpdate: noon },
  });
  expect(ports.cluster.events()).toMatchObject([{ type: "Normal", reason: "AutoUpdateStarting", key: "e-1" }]);
  expect(ports.published).toMatchObject([
    { type: "Update Started", cluster: "production", execution: "e-1", version: "1.1.0", image: target },
  ]);
  expectSelectable("ApplyUpdate", result);
});

describe("writes nothing if", () => {
  const pinned = `registry.example/shop/app@sha256:${"a".repeat(64)}`;
  const newer = { image: "registry.example/shop/app:1.2.0" };
  test.for([
    { when: "the workload is deleted", initial: null, reason: "not found" },
    { when: "the workload is recreated", initial: withNewUid(workload()), reason: "not found" },
    {
      when: "another execution holds the claim",
      initial: updatingWorkload({ inFlight: { ...inFlight, execution: "e-2" } }),
      reason: "held by e-2",
    },
    {
      when: "the annotations are set manually",
      initial: updatingWorkload({ inFlight: { ...inFlight, execution: null } }),
      reason: "held by a manual update",
    },
    { when: "the image is changed manually since", initial: updatingWorkload({ image }), reason: "was changed to" },
    { when: "updates are paused", initial: workload({ policy: { paused: true } }), reason: "paused" },
    {
      when: "auto-update is disabled",
      initial: workload({ policy: { optIn: "no" } }),
      reason: "auto-update is disabled",
    },
    {
      when: "a value cannot be parsed",
      initial: workload({ problems: problemsOf("schedule: what?") }),
      reason: "schedule: what?",
    },
    {
      when: "the version has failed in the meantime",
      initial: workload({ updateRecord: { failedVersions: ["1.1.0"] } }),
      reason: "has failed before",
    },
    {
      when: "the circuit has opened in the meantime",
      initial: workload({ updateRecord: { circuitOpen: true } }),
      reason: "circuit is open",
    },
    { when: "the image was pinned", initial: workload({ image: pinned, source: pinned }), reason: "pinned by digest" },
    { when: "it tracks another repository", initial: workload({ source: "other/app:1.0.0" }), reason: "now tracks" },
    {
      when: "it already runs the target",
      initial: workload({ image: target, source: target }),
      reason: "already running",
    },
    { when: "it runs a newer version", initial: workload(newer), reason: "not newer than 1.2.0" },
    {
      when: "it ran a newer version",
      initial: workload({ updateRecord: { currentVersion: "1.2.0" } }),
      reason: "not newer",
    },
  ])("$when", async ({ initial, reason }) => {
    const result = await applyUpdate(around(initial, { atMoment: writesNothing }), step);
    expect(result).toMatchObject({ kind: "superseded", reason: expect.stringContaining(reason) });
    expectSelectable("ApplyUpdate", result);
  });
});

describe("a freeze that begins between the poll and the write", () => {
  test.for([
    { when: "is open if there is none", freeze: null, kind: "applied" },
    { when: "is open if it is over", freeze: "- { reason: x, to: 2026-11-20 }", kind: "applied" },
    { when: "is closed while it lasts", freeze: "- { reason: incident 7 }", kind: "superseded", reason: "incident 7" },
    { when: "is closed if it is not known", freeze: "- {", kind: "superseded", reason: "is not known" },
    {
      when: "is passed by a version that a person pushed",
      freeze: "- { reason: incident 7 }",
      parts: { request: { verb: "push", argument: "1.1.0", token: "t" } } as const,
      kind: "applied",
    },
  ])("$when", async ({ freeze, parts = {}, kind, reason = "" }) => {
    const result = await applyUpdate(around(workload(parts), { freeze: () => freeze }), step);
    expect(result).toMatchObject({ kind, reason: expect.stringContaining(reason) });
  });
});

test("if two executions read the same state, one applies; the other is superseded when it reads again", async () => {
  const ports = around(workload());
  const both = await Promise.allSettled(["e-1", "e-2"].map((execution) => applyUpdate(ports, { ...step, execution })));
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const winner = ports.cluster.get().inFlight?.execution;
  const loser = winner === "e-1" ? "e-2" : "e-1";
  expect(await applyUpdate(ports, { ...step, execution: loser })).toMatchObject({ kind: "superseded" });
  expect(ports.cluster.get().inFlight?.execution).toBe(winner);
});

describe("a digest that is invented by the role that started the execution", () => {
  const digest = `sha256:${"e".repeat(64)}`;
  const invented = { ...step, target: { ...updateTarget, digest, pinned: true as const } };

  test("is not written", async () => {
    for (const initial of [workload(), workload({ policy: { pin: "tag" } })]) {
      const ports = around(initial, { atMoment: writesNothing });
      expect(await applyUpdate(ports, invented)).toMatchObject({ kind: "superseded" });
      expect(await startCanary(ports, { ...invented, strategy: "canary" })).toMatchObject({ kind: "superseded" });
    }
  });

  test("is not written in place of an update that fails, where a tag is", async () => {
    const rollout = { ...completeRollout, readyReplicas: 0 };
    const evidence = [{ pod: "web-0", cause: observedPod({ exits: 4 }).cause }];
    const failing = () => around(updatingWorkload({ rollout }), { evidence });
    const byTag = { ...step, execution: "e-9", target: imageTarget("registry.example/shop/app:1.2.0") };
    const pinned = { ...byTag, target: { ...byTag.target, digest, pinned: true as const } };
    expect(await applyUpdate(failing(), pinned)).toMatchObject({ kind: "superseded" });
    expect(await applyUpdate(failing(), byTag)).toMatchObject({ kind: "applied" });
  });

  test("is written where the policy asks for digests, and the tag otherwise", async () => {
    const ports = around(workload({ policy: { pin: "digest" } }));
    expect(await applyUpdate(ports, invented)).toMatchObject({ kind: "applied" });
    expect(ports.cluster.get().image).toBe(`${target}@${digest}`);
    const byTag = around(workload());
    const { pinned: _, ...unpinned } = invented.target;
    expect(await applyUpdate(byTag, { ...invented, target: unpinned })).toMatchObject({ kind: "applied" });
    expect(byTag.cluster.get().image).toBe(target);
  });
});
