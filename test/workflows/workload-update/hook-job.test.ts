import { expect, test } from "vitest";
import { isRestart } from "../../../functions/domain/workload/target/target.ts";
import { updateJobOf } from "../../../functions/workflows/workload-update/hook-job.ts";
import { restartTarget } from "../../../functions/domain/workload/request/restart-request.ts";
import { image, inFlight, noon, workload, updateTarget } from "../../support/workloads.ts";

const claim = { kind: "held", workload: workload(), inFlight } as const;
/** Of a name in Kubernetes, each part of which begins and ends with a letter or digit. */
const validName = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

test.for([
  { job: "migrate", start: "migrate-" },
  { job: "a".repeat(52), start: `${"a".repeat(50)}-` },
  { job: `${"a".repeat(49)}.bc`, start: `${"a".repeat(49)}-` },
  { job: `${"a".repeat(48)}-.bc`, start: `${"a".repeat(48)}-` },
])("the name of the Job of a CronJob is valid, and cut to 63 characters: $job", ({ job, start }) => {
  const { name } = updateJobOf(claim, { job, timeoutSeconds: 60, usesNewImage: false, purpose: ["pre"], uid: null });
  expect(name).toMatch(validName);
  expect(name.length).toBeLessThanOrEqual(63);
  expect(name.slice(0, -12)).toBe(start);
});

const release = { number: 4, version: "1.0.0", image, hash: "1", revision: "web-1", at: noon, by: "pawl" } as const;
const four = { ...release, result: "Succeeded" } as const;
const five = { ...release, number: 5, result: "Failed" } as const;
const restart = restartTarget(image, { verb: "restart", argument: null, token: "t-1" });

test.for([
  { when: "an update becomes the next one", target: updateTarget, list: [four, five], number: "6" },
  { when: "a restart that a person asked for becomes none", target: restart, list: [four, five], number: "4" },
  { when: "nothing that runs is recorded yet", target: restart, list: [five], number: "" },
])("the Job knows the number of the release: $when", ({ target: to, list, number }) => {
  const held = {
    ...claim,
    workload: workload({ releases: { list, hash: "1" } }),
    inFlight: isRestart(to) ? ({ ...inFlight, phase: "restart", target: to } as const) : { ...inFlight, target: to },
  };
  const hook = { job: "migrate", timeoutSeconds: 60, usesNewImage: false, purpose: ["pre"], uid: null };
  expect(updateJobOf(held, hook).variables).toMatchObject({ PAWL_RELEASE: number });
});

test("a Job with the new image runs the digest that was chosen, if the update writes it", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  const hook = { job: "migrate", timeoutSeconds: 60, usesNewImage: true, purpose: ["pre"], uid: null };
  const imageOf = (pinned: object) =>
    updateJobOf({ ...claim, inFlight: { ...inFlight, target: { ...updateTarget, digest, ...pinned } } }, hook).image;
  expect(imageOf({ pinned: true })).toBe(`${updateTarget.image}@${digest}`);
  expect(imageOf({})).toBe(updateTarget.image);
});
