import { describe, expect, test } from "vitest";
import { applyUpdate } from "../../functions/handlers/apply-update.ts";
import { once } from "../support/fake-ports.ts";
import { after, image, inFlight, noon, target, updating, workload } from "../support/workloads.ts";
import { around, expectSelectable, recreated, step, writesNothing } from "./steps.ts";

test("claims the workload and sets the image in one write, and tells it", async () => {
  const ports = around(workload());
  const answer = await applyUpdate(ports, step);
  expect(answer).toEqual({ kind: "applied", waitSeconds: 15, reason: `set ${target}` });
  expect(ports.cluster.get()).toMatchObject({
    resourceVersion: "8",
    image: target,
    inFlight: { targetImage: target, startedAt: noon, execution: "e-1", previousImage: image },
    bookkeeping: { currentVersion: "1.0.0", availableVersion: "1.1.0", lastUpdate: noon },
  });
  expect(ports.cluster.events()).toMatchObject([{ type: "Normal", reason: "AutoUpdateStarting", key: "e-1" }]);
  expect(ports.published).toMatchObject([
    { type: "Update Started", cluster: "production", execution: "e-1", version: "1.1.0", image: target },
  ]);
  expectSelectable("ApplyUpdate", answer);
});

describe("touches nothing where", () => {
  const pinned = `${image}@sha256:${"a".repeat(64)}`;
  const newer = { image: "registry.example/shop/app:1.2.0" };
  test.for([
    { when: "it is gone", seen: null, reason: "gone" },
    { when: "another has taken its name", seen: recreated(workload()), reason: "gone" },
    {
      when: "another execution was there first",
      seen: updating({ inFlight: { ...inFlight, execution: "e-2" } }),
      reason: "held by e-2",
    },
    {
      when: "a person set the marks by hand",
      seen: updating({ inFlight: { ...inFlight, execution: null } }),
      reason: "held by a person",
    },
    { when: "a person changed the image since", seen: updating({ image }), reason: "was changed to" },
    { when: "updates are paused", seen: workload({ policy: { paused: true } }), reason: "paused" },
    { when: "it was switched off", seen: workload({ policy: { enabled: false } }), reason: "not switched on" },
    { when: "something cannot be read", seen: workload({ problems: ["schedule: what?"] }), reason: "schedule: what?" },
    {
      when: "the version has failed meanwhile",
      seen: workload({ bookkeeping: { failedVersions: ["1.1.0"] } }),
      reason: "has failed before",
    },
    {
      when: "the circuit was opened meanwhile",
      seen: workload({ bookkeeping: { circuitOpen: true } }),
      reason: "circuit is open",
    },
    { when: "the image was pinned", seen: workload({ image: pinned, source: pinned }), reason: "pinned by digest" },
    { when: "it follows another repository", seen: workload({ source: "other/app:1.0.0" }), reason: "now follows" },
    { when: "it runs that already", seen: workload({ image: target, source: target }), reason: "runs already" },
    { when: "it runs something newer", seen: workload(newer), reason: "not newer than 1.2.0" },
    {
      when: "it ran something newer",
      seen: workload({ bookkeeping: { currentVersion: "1.2.0" } }),
      reason: "not newer",
    },
  ])("$when", async ({ seen, reason }) => {
    const answer = await applyUpdate(around(seen, { atMoment: writesNothing }), step);
    expect(answer).toMatchObject({ kind: "superseded", reason: expect.stringContaining(reason) });
    expectSelectable("ApplyUpdate", answer);
  });
});

test("does not bring a workload to a tag that is no version", async () => {
  const answer = await applyUpdate(around(workload(), { atMoment: writesNothing }), {
    ...step,
    image: "registry.example/shop/app:latest",
  });
  expect(answer).toMatchObject({ kind: "superseded", reason: expect.stringContaining("not newer than") });
});

test("a change between reading and writing is a Conflict, and nothing is written", async () => {
  const scaled = workload({ announced: { held: "scaled by hand", problem: null } });
  const ports = around(workload(), { atMoment: once("before change", () => ports.cluster.put(scaled)) });
  await expect(applyUpdate(ports, step)).rejects.toMatchObject({ name: "Conflict" });
  expect(ports.cluster.get()).toEqual({ ...scaled, resourceVersion: "8" });
  expect(ports.cluster.events()).toEqual([]);
  expect(ports.published).toEqual([]);
});

test("of two executions that read the same, one applies; the other sees that when it reads again", async () => {
  const ports = around(workload());
  const both = await Promise.allSettled(["e-1", "e-2"].map((execution) => applyUpdate(ports, { ...step, execution })));
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const winner = ports.cluster.get().inFlight?.execution;
  const loser = winner === "e-1" ? "e-2" : "e-1";
  expect(await applyUpdate(ports, { ...step, execution: loser })).toMatchObject({ kind: "superseded" });
  expect(ports.cluster.get().inFlight?.execution).toBe(winner);
});

test("repeated later by the execution that holds the claim it keeps the first start", async () => {
  const ports = around(updating(), { now: after(5) });
  expect(await applyUpdate(ports, step)).toMatchObject({ kind: "applied" });
  expect(ports.cluster.get().inFlight).toEqual(inFlight);
});
