import { expect, test } from "vitest";
import { reconcileNodes } from "../../../functions/handlers/reconcile-nodes.ts";
import { observePool } from "../../../functions/workflows/node-pool-rollout/observe-pool.ts";
import { member, pool, slot, updated } from "../../domain/node-pool/pools.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { after, noon } from "../../support/workloads.ts";
import { poolStepInput, web } from "./node-pool-fixtures.ts";

const healthChecks = { conditions: [], daemonSets: [{ namespace: "kube-system", name: "gpu" }] };
const gpu = { ...web, namespace: "kube-system", controller: "DaemonSet", controllerName: "gpu" };
const input = { ...poolStepInput("roll-1"), executionStartedAt: noon.toISOString(), rounds: 0 };
const booted = { ...updated, slot: { ...slot, approvedAt: noon, bootedAt: noon } };

test("a node releases its slot once the DaemonSet of a health check has a Ready pod on it", async () => {
  const workers = pool({ healthChecks, minReadySeconds: 0 }, { execution: "roll-1" });
  const ports = fakePorts({
    nodePools: { pools: [workers], nodes: [member("w1", booted)], pods: { w1: [{ ...gpu, isReady: false }] } },
  });
  const { nodePools } = ports;
  const steps = () => nodePools.writes.map(({ step }) => step.kind);
  const reason = "w1: no pod of DaemonSet kube-system/gpu is Ready on it";
  expect(await reconcileNodes(ports, input)).toMatchObject({ kind: "working", reason });
  expect(steps()).toEqual([]);
  expect(nodePools.pool("workers").status.conditions).toContainEqual(
    expect.objectContaining({ reason: "RolloutHalted", message: "Unhealthy nodes in reboot slots: w1 (Unhealthy)" }),
  );
  nodePools.putPods("w1", [gpu]);
  expect(await reconcileNodes(ports, input)).toMatchObject({ kind: "completed" });
  expect(steps()).toEqual(["release-slot"]);
});

test("pods are read of nodes that a health check decides about, and of no others", async () => {
  const listed: string[] = [];
  const nodePools = {
    pullSecret: () => Promise.reject(new Error("not configured")),
    async listPods(node: string) {
      listed.push(node);
      return [gpu];
    },
  };
  const ports = { nodePools, now: () => after(1), tagCacheSeconds: 300 };
  const nodes = [member("w1", booted), member("w2", updated), member("w3", { slot })];
  const observe = (workers: ReturnType<typeof pool>) =>
    observePool(ports, { pool: workers, pools: [workers], nodes, resolution: null });
  await observe(pool());
  expect(listed).toEqual([]);
  await observe(pool({ healthChecks }));
  expect(listed).toEqual(["w1"]);
});
