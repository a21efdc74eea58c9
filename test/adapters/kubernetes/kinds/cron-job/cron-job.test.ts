import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assessReadiness } from "../../../../../functions/domain/workload/update/readiness.ts";
import type { InFlight } from "../../../../../functions/domain/workload/update/in-flight.ts";
import type { Workload } from "../../../../../functions/domain/workload/workload.ts";
import { before, target } from "../../../../contracts/cluster-fixtures.ts";
import { claim, later, rolledBack, type Step, succeed, revertDisabled } from "../../../../contracts/cluster/steps.ts";
import { type CronJobHarness, openCronJobs } from "./harness.ts";
import { textsOf } from "../../../../support/problems.ts";

let harness: CronJobHarness;
beforeAll(async () => {
  harness = await openCronJobs();
});
afterAll(() => harness.close());

const byTag = { "pawl.dev/auto-update": "true" };
const byDigest = { "image-updater.eznix86.github.io/enabled": "true" };

test.for([
  { name: "by-tag", annotations: byTag, isFound: true },
  { name: "by-digest", annotations: byDigest, isFound: false },
  { name: "by-both", annotations: { ...byTag, ...byDigest }, isFound: true },
  { name: "by-none", annotations: {}, isFound: false },
])("a CronJob that opted in $name is a workload: $isFound, and is not tracked by digest", async ({ name, ...row }) => {
  await harness.make(name, before, row);
  const workload = await harness.find(name);
  expect(workload !== undefined).toBe(row.isFound);
  expect(workload ?? { digests: null, policy: { optIn: "yes" } }).toMatchObject({
    digests: null,
    policy: { optIn: "yes" },
  });
});

test("it is read from the pod template of its Jobs", async () => {
  const pod = { imagePullSecrets: [{ name: "login" }], serviceAccountName: "reporter" };
  await harness.make("read", before, { pod });
  const workload = await harness.find("read");
  expect(workload).toMatchObject({
    ref: { apiVersion: "batch/v1", kind: "CronJob", namespace: harness.namespace, name: "read" },
    image: before,
    source: before,
    problems: [],
    pull: { secrets: ["login"], serviceAccount: "reporter" },
    rollout: { image: before, desiredReplicas: 0, updatedReplicas: 0, readyReplicas: 0, oldReplicas: 0 },
  });
  expect(await harness.cluster.runningDigests(workload as Workload)).toEqual([]);
});

test("a canary is a problem with a reason", async () => {
  await harness.make("canary", before, { annotations: { ...byTag, "pawl.dev/canary": "1" } });
  const { problems = [] } = (await harness.find("canary")) ?? {};
  expect(textsOf(problems)).toEqual([expect.stringMatching(/^pawl\.dev\/canary "1": a CronJob has no replicas/)]);
});

test.for([
  { name: "active", suspend: false },
  { name: "suspended", suspend: true },
])("a $name one is updated, its init containers too, and its Jobs are its verdict", async ({ name, suspend }) => {
  await harness.make(name, before, { suspend, initContainers: [{ name: "prepare", image: before }] });
  const updated = await harness.change(name, claim);
  const { containers, initContainers } = await harness.podOf(name);
  expect(containers).toMatchObject([
    { name: "app", image: target, env: [{ name: "MODE", value: "report" }] },
    { name: "sidecar", image: "registry.invalid/proxy:3.1.4" },
  ]);
  expect(initContainers).toMatchObject([{ name: "prepare", image: target }]);
  const jobs = { isSuspended: suspend, isActive: false, lastScheduledAt: null, lastSucceededAt: null };
  expect(updated.rollout?.jobs).toEqual(jobs);
  expect(await harness.cluster.listJobs(updated)).toEqual([]);
  const { updateRecord, inFlight } = await harness.change(name, succeed);
  expect(inFlight).toBeNull();
  expect(updateRecord).toMatchObject({ currentVersion: "1.1.0", rollbackCount: 0 });
});

describe("an update is rolled back", () => {
  test.for<{ name: string; annotations: Record<string, string>; expired: RegExp; revertStep: Step; failed: string[] }>([
    {
      name: "disabled",
      annotations: { "pawl.dev/auto-update": "false" },
      expired: /disabled/,
      revertStep: revertDisabled,
      failed: [],
    },
  ])("if it is $name", async ({ name, annotations, expired, revertStep, failed }) => {
    await harness.make(name, before);
    await harness.change(name, claim);
    await harness.annotate(name, annotations);
    const found = (await harness.find(name)) as Workload;
    expect(assessReadiness(found.rollout, found, found.inFlight as InFlight, later)).toEqual({
      kind: "expired",
      reason: expect.stringMatching(expired),
    });
    const reverted = await harness.change(name, revertStep);
    await harness.cluster.deleteStuckPods(reverted, null);
    expect(reverted).toMatchObject({ image: before, inFlight: { phase: "rollback" } });
    const { inFlight: left, updateRecord } = await harness.change(name, rolledBack);
    expect({ left, failed: updateRecord.failedVersions }).toEqual({ left: null, failed });
  });
});
