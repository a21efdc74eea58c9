import { expect, test } from "vitest";
import { noLimitSettings } from "../../../functions/domain/budget/limits.ts";
import type { Workload } from "../../../functions/domain/workload/workload.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { config, configDigest, configWorkload, reference } from "../../support/workloads/config-workloads.ts";
import { completeRollout, image } from "../../support/workloads.ts";
import { runUntilComplete } from "../run-workload-update.ts";

const rollout = { ...completeRollout, image };
const policy = { settleSeconds: 30, minimumIntervalSeconds: 300, healthTimeoutSeconds: 600 };

function using(map: string, name: string): Workload {
  const id = `configmap/${map}`;
  const tracking = {
    ...config,
    references: [{ ...reference, name: map, id }],
    deployed: { [id]: configDigest(1) },
    versions: {},
  };
  const { ref, ...others } = configWorkload({ config: tracking, rollout, policy });
  return { ...others, ref: { ...ref, name, uid: name } };
}

test("of 25 workloads that share a ConfigMap at most five restart at a time, and one that changes often is reported once", async () => {
  const content: Record<string, string> = { "configmap/shared": configDigest(1), "configmap/hot": configDigest(1) };
  const startedAtOnce: number[] = [];
  let started = 0;
  const names = Array.from({ length: 25 }, (_, index) => `sharing-${index}`);
  const fake = fakePorts({
    workloads: [...names.map((name) => using("shared", name)), using("hot", "unsteady")],
    config: () => content,
    atMoment(moment) {
      if (moment.startsWith("before start")) started += 1;
      if (!moment.startsWith("before acquireLease")) return;
      if (started > 0) startedAtOnce.push(started);
      started = 0;
    },
  });
  const ports = { ...fake, limits: noLimitSettings };
  const restarts = (name: string) => ports.cluster.get(name).updateRecord.versionHistory.length;
  const events = () => ports.published.filter(({ reason }) => reason?.includes("changes often")).length;

  content["configmap/shared"] = configDigest(2);
  for (let hot = 2; hot < 12; hot += 1) {
    content["configmap/hot"] = configDigest(hot);
    await runUntilComplete(ports);
    ports.pass(60);
  }
  expect(names.map(restarts)).toEqual(names.map(() => 1));
  expect(startedAtOnce).toEqual([5, 5, 5, 5, 5]);
  expect([restarts("unsteady"), events()]).toEqual([0, 1]);
  expect(ports.cluster.get("unsteady").gates).toMatchObject([{ name: "restarts", reason: "ConfigChangesOften" }]);

  await runUntilComplete(ports);
  expect(restarts("unsteady")).toBe(1);
  expect(ports.cluster.get("unsteady")).toMatchObject({
    config: { deployed: { "configmap/hot": configDigest(11) } },
    gates: [],
  });
});
