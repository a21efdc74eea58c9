import { expect, test } from "vitest";
import type { WorkloadFact } from "../record/facts.ts";
import { checkEnd, checkHistory } from "./check.ts";
import { checkPods } from "./check-pods.ts";
import { entry, gone, image, pod, record, story, update, workload, type Write } from "./build-story.ts";

const start: readonly Write[] = [
  workload("1.0.0", "person"),
  pod("web-a", "1.0.0", true),
  record({ currentVersion: "1.0.0" }),
];
const claimed = record({ currentVersion: "1.0.0", update: update("Claimed", "1.0.0", "1.1.0") });
const applied = record({ currentVersion: "1.0.0", update: update("Applied", "1.0.0", "1.1.0") });
const moved: readonly Write[] = [pod("web-b", "1.1.0", false), gone("web-a"), pod("web-b", "1.1.0", true)];
const updated = record({ currentVersion: "1.1.0", history: [entry("1.1.0", "Healthy")] });
const success: readonly Write[] = [...start, claimed, workload("1.1.0", "Pawl"), applied, ...moved, updated];

const failing = "1.1.0-bad";
const failed = { rollbackCount: 1, failedVersions: [failing], history: [entry(failing, "RolledBack")] };
const rollback: readonly Write[] = [
  ...start,
  record({ currentVersion: "1.0.0", update: update("Claimed", "1.0.0", failing) }),
  workload(failing, "Pawl"),
  pod("web-b", failing, false),
  record({ currentVersion: "1.0.0", ...failed, update: update("RollingBack", "1.0.0", failing) }),
  workload("1.0.0", "Pawl"),
  gone("web-b"),
  record({ currentVersion: "1.0.0", ...failed }),
];
const newer = "1.2.0";
const superseded = { rollbackCount: 1, history: [entry(failing, "Superseded")] };
const forward = { ...update("Claimed", "1.0.0", newer), replacedImage: image(failing) };
const fixedForward: readonly Write[] = [
  ...rollback.slice(0, 6),
  record({ currentVersion: "1.0.0", ...superseded, update: forward }),
  workload(newer, "Pawl"),
  gone("web-b"),
  gone("web-a"),
  pod("web-c", newer, true),
  record({ currentVersion: newer, rollbackCount: 0, history: [...superseded.history, entry(newer, "Healthy")] }),
];
const parked = { reason: "NoReplicas", since: "", message: "" };
const supersededParked: readonly Write[] = [
  ...start,
  claimed,
  workload("1.1.0", "Pawl"),
  record({ currentVersion: "1.0.0", update: { ...update("Applied", "1.0.0", "1.1.0"), parked } }),
  workload("1.0.0", "Pawl"),
  record({ currentVersion: "1.0.0" }),
  record({ currentVersion: "1.0.0", update: update("Claimed", "1.0.0", newer) }),
  workload(newer, "Pawl"),
  gone("web-a"),
  pod("web-c", newer, true),
  record({ currentVersion: newer, history: [entry(newer, "Healthy")] }),
];
const abandoned: readonly Write[] = [
  ...start,
  claimed,
  workload("1.1.0", "Pawl"),
  applied,
  workload("1.0.0", "person"),
  record({ currentVersion: "1.1.0" }),
];

test.for([
  { when: "an update", writes: success, versions: ["1.0.0", "1.1.0"] },
  { when: "a rollback", writes: rollback, versions: ["1.0.0", failing] },
  { when: "an update that a person abandoned", writes: abandoned, versions: ["1.0.0", "1.1.0"] },
  { when: "a newer version in place of one that fails", writes: fixedForward, versions: ["1.0.0", failing, newer] },
  {
    when: "a newer version in place of a parked update",
    writes: supersededParked,
    versions: ["1.0.0", "1.1.0", newer],
  },
  { when: "an older good version that a failed one hides", writes: rollback, versions: ["1.0.0", "1.0.1", failing] },
  {
    when: "an older image that a person chose",
    writes: [...success, workload("1.0.0", "person"), gone("web-b"), pod("web-c", "1.0.0", true)],
    versions: ["1.0.0", "1.1.0"],
  },
])("nothing is wrong with $when", ({ writes, versions }) => {
  const told = story(writes, versions);
  expect([...checkHistory(told), ...checkEnd(told)]).toEqual([]);
});

const without = (writes: readonly Write[], left: Write) => writes.filter((write) => write !== left);
const blamed = record({ ...failed, currentVersion: "1.0.0", failedVersions: [] });

test.for<{ when: string; writes: readonly Write[]; versions?: readonly string[]; violation: string }>([
  { when: "an attempt does not end", writes: without(success, updated), violation: "is in flight" },
  {
    when: "an attempt is forgotten",
    writes: [...without(success, updated), record({ currentVersion: "1.1.0" })],
    violation: "ended without a record",
  },
  {
    when: "an attempt is recorded twice",
    writes: [
      ...without(success, updated),
      record({
        currentVersion: "1.1.0",
        history: [entry("1.1.0", "Healthy"), { ...entry("1.1.0", "Healthy"), startedAt: "later" }],
      }),
    ],
    violation: "is in the history 2 times",
  },
  {
    when: "the history has what was not attempted",
    writes: [
      ...success,
      record({ currentVersion: "1.1.0", history: [entry("1.1.0", "Healthy"), entry("1.2.0", "Healthy")] }),
    ],
    violation: "without an attempt",
  },
  {
    when: "a version was never pushed",
    writes: success,
    versions: ["1.0.0"],
    violation: "is of a version that was never pushed",
  },
  {
    when: "a version is blamed of which no pod failed",
    writes: rollback.filter(([object]) => object !== "pods/web-b"),
    versions: ["1.0.0", failing],
    violation: "no pod of it was seen failing",
  },
  {
    when: "a rollback is not counted",
    writes: [...rollback.slice(0, -1), record({ ...failed, currentVersion: "1.0.0", rollbackCount: 0 })],
    versions: ["1.0.0", failing],
    violation: "rollbackCount became 0 instead of 1",
  },
  {
    when: "a rollback is not blamed",
    writes: [...rollback, blamed],
    versions: ["1.0.0", failing],
    violation: "is not blamed any more",
  },
  {
    when: "the circuit opens too early",
    writes: [...rollback, record({ ...failed, currentVersion: "1.0.0", circuitOpen: true })],
    versions: ["1.0.0", failing],
    violation: "the circuit opened after 1 rollbacks",
  },
  {
    when: "a newer good version is not applied",
    writes: success,
    versions: ["1.0.0", "1.1.0", "1.2.0"],
    violation: "1.2.0 is the highest good version",
  },
  {
    when: "a newer bad version is not tried",
    writes: success,
    versions: ["1.0.0", "1.1.0", "1.2.0-bad"],
    violation: "1.2.0-bad is bad, and was not tried",
  },
  {
    when: "a manual change is overwritten",
    writes: [
      ...abandoned,
      record({ currentVersion: "1.1.0", update: update("Claimed", "1.1.0", "1.2.0") }),
      workload("1.2.0", "Pawl"),
    ],
    versions: ["1.0.0", "1.1.0", "1.2.0"],
    violation: "a manual change was lost",
  },
  {
    when: "Pawl writes without a claim",
    writes: [...success, workload("1.2.0", "Pawl")],
    versions: ["1.0.0", "1.1.0", "1.2.0"],
    violation: "without a claim",
  },
  {
    when: "Pawl scales",
    writes: [...success, workload("1.1.0", "Pawl", { isScaledByPawl: true })],
    violation: "Pawl set the number of replicas",
  },
  {
    when: "a canary is left",
    writes: [...success, ["deployments/web-canary", { kind: "canary", image: "" }]],
    violation: "a canary is left",
  },
  {
    when: "a partition is left",
    writes: [...success, workload("1.1.0", "Pawl", { partition: 2 })],
    violation: "partition 2 is left",
  },
  {
    when: "a pod is stuck",
    writes: [...rollback, pod("web-b", failing, false)],
    versions: ["1.0.0", failing],
    violation: "pods/web-b runs",
  },
  {
    when: "a parked update is reverted to another image",
    writes: supersededParked.map((write, index) => (index === 6 ? workload("1.0.5", "Pawl") : write)),
    versions: ["1.0.0", "1.1.0", newer],
    violation: "the claim was to set",
  },
  {
    when: "a superseded version is counted of which no pod failed",
    writes: fixedForward.filter(([object, fact]) => object !== "pods/web-b" || fact.kind === "gone"),
    versions: ["1.0.0", failing, newer],
    violation: "was counted, and no pod of it was seen failing",
  },
  { when: "a pod is missing", writes: [...success, gone("web-b")], violation: "0 pods instead of 1" },
  {
    when: "a pod is not ready",
    writes: [...success, pod("web-b", "1.1.0", false)],
    violation: "pods/web-b is not ready",
  },
])("it is found if $when", ({ writes, versions = ["1.0.0", "1.1.0"], violation }) => {
  const told = story(writes, versions);
  const messages = [...checkHistory(told), ...checkEnd(told)].map(({ message }) => message);
  expect(messages.join("\n")).toContain(violation);
});

test("a good version that is blamed, and a bad one that is recorded as healthy, are found", () => {
  const told = (writes: readonly Write[], version: string, isGood: boolean) => {
    const base = story(writes, ["1.0.0", version]);
    return checkHistory({
      ...base,
      releases: new Map([
        [
          "web",
          [
            { version: "1.0.0", isGood: true, pushedAt: 0 },
            { version, isGood, pushedAt: 0 },
          ],
        ],
      ]),
    });
  };
  const messages = [...told(rollback, failing, true), ...told(success, "1.1.0", false)].map(({ message }) => message);
  expect(messages.join("\n")).toMatch(
    /was blamed, and the version is good[^]*recorded as healthy, and its pods never became ready/,
  );
});

test.for([
  { when: "the circuit is open", circuitOpen: true, found: [] },
  { when: "the circuit is closed", circuitOpen: false, found: ["pods/web-a is not ready"] },
])("a pod of a bad digest that a good one followed, when $when: $found", ({ circuitOpen, found }) => {
  const [object, fact] = workload("prod", "person");
  const writes: readonly Write[] = [[object, fact], pod("web-a", "prod", false), record({ circuitOpen })];
  expect(checkPods(story(writes, ["prod@sha256:0"], { strategy: "digest" }), fact as WorkloadFact)).toEqual(found);
});
