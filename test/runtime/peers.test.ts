import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { withPeers } from "../../functions/runtime/peers.ts";
import { readSettings } from "../../functions/runtime/read-settings.ts";
import { fakeCluster } from "../support/fake-cluster.ts";
import { noon } from "../support/workloads.ts";

const web = { kind: "Deployment", namespace: "shop", name: "web" };

/** A peer "eu" without workloads, and the clock of who asks it. */
async function open(limits = {}) {
  const clock = { now: noon.getTime() };
  const eu = await startEmbeddedCluster({ now: () => new Date(), objects: [] });
  const folder = await mkdtemp(join(tmpdir(), "pawl-peers-"));
  onTestFinished(async () => {
    await eu.close();
    await rm(folder, { recursive: true });
  });
  const path = join(folder, "kubeconfig");
  await writeFile(path, eu.kubeconfig);
  const settings = readSettings({
    PAWL_PEERS: JSON.stringify([{ name: "eu", access: { kind: "file", path, context: null } }]),
    PAWL_LIMITS: JSON.stringify(limits),
  });
  const own = fakeCluster([], () => undefined);
  return { eu, clock, cluster: withPeers(own, { settings, aws: {}, now: () => new Date(clock.now) }) };
}

test("a peer that does not answer is asked again after a minute", async () => {
  const { eu, clock, cluster } = await open();
  const ask = () => cluster.readNamed({ ...web, cluster: "eu" }).catch((error: unknown) => error);
  expect(await ask()).toBeNull();
  await eu.close();
  const first = await ask();
  expect(first).toMatchObject({ name: "Unreachable" });
  clock.now += 59_000;
  // The same error: nothing was asked.
  expect(await ask()).toBe(first);
  clock.now += 2000;
  const next = await ask();
  expect(next).toMatchObject({ name: "Unreachable" });
  expect(next).not.toBe(first);
});

test("only a peer of the configuration is read, and the cluster itself is no peer", async () => {
  const { cluster } = await open();
  await expect(cluster.readNamed({ ...web, cluster: "us" })).rejects.toThrow("cluster us is not a peer");
  expect(await cluster.readNamed(web)).toBeNull();
});

test.for([
  { limits: {}, haltPeers: [] },
  { limits: { haltScope: "cluster" }, haltPeers: [] },
  { limits: { haltScope: "deployment" }, haltPeers: ["eu"] },
])("failures of peers count with $limits: $haltPeers", async ({ limits, haltPeers }) => {
  expect((await open(limits)).cluster.haltPeers).toEqual(haltPeers);
});

test("peers that are no list are named", () => {
  expect(() => readSettings({ PAWL_PEERS: '[{"name":"eu"}]' })).toThrow("PAWL_PEERS is invalid");
});
