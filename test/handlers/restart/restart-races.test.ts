import { expect, test } from "vitest";
import { applyUpdate } from "../../../functions/handlers/apply-update.ts";
import { applyDecision } from "../../../functions/workflows/poll/apply-decision.ts";
import { createEvaluator } from "../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { digest, digestWorkload, prod } from "../../support/digest-workloads.ts";
import { completeRollout } from "../../support/workloads.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import { finalState, createRestartPorts } from "./restart-fixtures.ts";

const idle = digestWorkload({ rollout: { ...completeRollout, image: prod } });

test("a poll that evaluated before a restart and acts after it does not restart again", async () => {
  const ports = createRestartPorts(idle, { digests: () => [digest(2)] });
  const early = ports.cluster.get();
  const decision = await createEvaluator(ports)(early);
  await runUntilComplete(ports);
  expect(await applyDecision(ports, early, decision, "none")).toMatchObject({ reason: "back-off" });
  expect(ports.executions.running()).toHaveLength(0);
  await runUntilComplete(ports);
  expect(finalState(ports)).toMatchObject({ restarts: [`app:${digest(2)}`], history: [`prod@${digest(2)} Healthy`] });
});

test("a poll that evaluated two restarts ago does not restore the previous one", async () => {
  let tagDigest = 2;
  const ports = createRestartPorts(idle, { digests: () => [digest(tagDigest)] });
  const early = ports.cluster.get();
  const decision = await createEvaluator(ports)(early);
  await runUntilComplete(ports);
  tagDigest = 3;
  await runUntilComplete(ports);
  await applyDecision(ports, early, decision, "none");
  await runUntilComplete(ports);
  expect(finalState(ports)).toMatchObject({
    last: { app: digest(3) },
    restarts: [`app:${digest(2)}`, `app:${digest(3)}`],
  });
});

test("two concurrent polls start one execution; a second execution finds the restart done", async () => {
  const ports = createRestartPorts(idle, { digests: () => [digest(2)] });
  await Promise.all([pollCluster(ports), pollCluster(ports)]);
  const [started, ...others] = ports.executions.started;
  expect(others).toEqual([]);
  if (started === undefined) throw new Error("no execution was started");
  const both = await Promise.allSettled(
    ["e-1", "e-2"].map((execution) => applyUpdate(ports, { ...started.input, execution })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(ports.restarts).toHaveLength(1);
});

test("a tag that moves during a restart is applied after it", async () => {
  let tagDigest = 2;
  const ports = createRestartPorts(idle, { digests: () => [digest(tagDigest)] });
  await pollCluster(ports);
  tagDigest = 3;
  await runUntilComplete(ports);
  expect(finalState(ports)).toMatchObject({
    last: { app: digest(3) },
    restarts: [`app:${digest(2)}`, `app:${digest(3)}`],
  });
});

test("a restart that is undone manually is released, and not repeated", async () => {
  const ports = createRestartPorts(idle, { digests: () => [digest(2)] });
  await pollCluster(ports);
  const [started] = ports.executions.started;
  await applyUpdate(ports, { ...started!.input, execution: started!.name });
  ports.cluster.put({ ...ports.cluster.get(), restartedAt: null });
  await runUntilComplete(ports);
  expect(finalState(ports)).toMatchObject({
    inFlight: null,
    restarts: [`app:${digest(2)}`],
    failedVersions: [],
    history: [],
  });
  expect(ports.cluster.events()).toContainEqual(expect.objectContaining({ reason: "AutoUpdateHeld" }));
});

test("a registry that does not answer for one container holds the complete workload, and nothing is written", async () => {
  const containers = ["app", "side"].map((name) => ({ name, image: `${name}:prod` }));
  const initial = digestWorkload({ digests: { containers, deployed: { app: digest(1), side: digest(1) } } });
  const ports = createRestartPorts(initial, {
    digests: (image) => (image.includes("side") ? new Error("no result") : [digest(2)]),
  });
  expect(await pollCluster(ports)).toMatchObject({ started: 0, recorded: 0, failures: 1 });
  expect(ports.cluster.get()).toEqual(initial);
});
