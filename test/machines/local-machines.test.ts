import { expect, test } from "vitest";
import { nodePoolRolloutMachine } from "../../infra/local/runtime/node-pool-rollout.ts";
import { workloadUpdateMachine } from "../../infra/local/runtime/workload-update.ts";
import { buildMachine } from "../../infra/local/step-functions/machine.ts";
import type { Ports } from "../../functions/contract/ports.ts";
import { noon } from "../support/workloads.ts";
import { readMachine } from "./asl-files.ts";
import { statesOf } from "./lint/definition.ts";

const noPorts = (): Ports => {
  throw new Error("building a machine needs no ports");
};

test.for([
  { name: "node-pool-rollout", source: nodePoolRolloutMachine },
  { name: "workload-update", source: workloadUpdateMachine },
])("$name runs locally: the definition of its file, with a handler for each Task", ({ name, source }) => {
  const { definition, tasks } = source(noPorts);
  expect(definition).toEqual(readMachine(name));
  const names = statesOf(readMachine(name), "Task").map(([task]) => task);
  expect(Object.keys(tasks).sort()).toEqual([...names].sort());
  expect(() => buildMachine(name, { definition, tasks }, { now: () => noon, waitScale: 1 })).not.toThrow();
});
