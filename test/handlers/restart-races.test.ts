import { expect, test } from "vitest";
import { applyUpdate } from "../../functions/handlers/apply-update.ts";
import { act } from "../../functions/polling/act.ts";
import { look } from "../../functions/polling/look.ts";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import { digest, followed, prod } from "../support/followed.ts";
import { settled } from "../support/workloads.ts";
import { runToTheEnd } from "./machine-by-hand.ts";
import { endOf, world } from "./restart-world.ts";

const resting = followed({ rollout: { ...settled, image: prod } });

test("a poll that looked before a restart and acts after it restarts nothing once more", async () => {
  const ports = world(resting, new Map(), { digests: () => [digest(2)] });
  const early = ports.cluster.get();
  const decision = await look(ports, early, ports.now());
  await runToTheEnd(ports);
  await act(ports, early, decision);
  expect(ports.executions.running()).toHaveLength(1);
  await runToTheEnd(ports);
  expect(endOf(ports)).toMatchObject({ restarts: [`app:${digest(2)}`], history: [`prod@${digest(2)} Healthy`] });
});

test("a poll that looked two restarts ago does not bring the one before back", async () => {
  let stands = 2;
  const ports = world(resting, new Map(), { digests: () => [digest(stands)] });
  const early = ports.cluster.get();
  const decision = await look(ports, early, ports.now());
  await runToTheEnd(ports);
  stands = 3;
  await runToTheEnd(ports);
  await act(ports, early, decision);
  await runToTheEnd(ports);
  expect(endOf(ports)).toMatchObject({ last: { app: digest(3) }, restarts: [`app:${digest(2)}`, `app:${digest(3)}`] });
});

test("two polls at once start one execution; a second execution finds it restarted", async () => {
  const ports = world(resting, new Map(), { digests: () => [digest(2)] });
  await Promise.all([pollCluster(ports), pollCluster(ports)]);
  const [started, ...others] = ports.executions.started;
  expect(others).toEqual([]);
  if (started === undefined) throw new Error("nothing was started");
  const both = await Promise.allSettled(
    ["e-1", "e-2"].map((execution) => applyUpdate(ports, { ...started.input, execution })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(ports.restarts).toHaveLength(1);
});

test("a tag that moves on while a restart is in flight is followed after it", async () => {
  let stands = 2;
  const ports = world(resting, new Map(), { digests: () => [digest(stands)] });
  await pollCluster(ports);
  stands = 3;
  await runToTheEnd(ports);
  expect(endOf(ports)).toMatchObject({ last: { app: digest(3) }, restarts: [`app:${digest(2)}`, `app:${digest(3)}`] });
});

test("a restart that a person undoes in mid-flight is let go of, and is not done again", async () => {
  const ports = world(resting, new Map(), { digests: () => [digest(2)] });
  await pollCluster(ports);
  const [started] = ports.executions.started;
  await applyUpdate(ports, { ...started!.input, execution: started!.name });
  ports.cluster.put({ ...ports.cluster.get(), restartedAt: null });
  await runToTheEnd(ports);
  expect(endOf(ports)).toMatchObject({
    inFlight: null,
    restarts: [`app:${digest(2)}`],
    failedVersions: [],
    history: [],
  });
  expect(ports.cluster.events()).toContainEqual(expect.objectContaining({ reason: "AutoUpdateHeld" }));
});

test("a registry that does not answer for one container holds the whole workload, and nothing is written", async () => {
  const containers = ["app", "side"].map((name) => ({ name, image: `${name}:prod` }));
  const seen = followed({ digests: { containers, last: { app: digest(1), side: digest(1) } } });
  const ports = world(seen, new Map(), {
    digests: (image) => (image.includes("side") ? new Error("no answer") : [digest(2)]),
  });
  expect(await pollCluster(ports)).toMatchObject({ started: 0, recorded: 0, failures: 1 });
  expect(ports.cluster.get()).toEqual(seen);
});
