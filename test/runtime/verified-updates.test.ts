import { SFNClient, StartExecutionCommand } from "@aws-sdk/client-sfn";
import { describe, expect, test } from "vitest";
import { eventually } from "../support/control-plane/eventually.ts";
import { startVerifiedPawl as start } from "./verified-pawl.ts";

describe("where a rule is for the repository", () => {
  test("a signed version is applied with the digest that was verified", async () => {
    const { sign, poll, workload, image, registry, ends } = await start({});
    await sign("1.1.0");
    expect(await poll()).toMatchObject({ started: 1, failed: [] });
    expect(ends).toEqual(["Updated"]);
    expect((await workload()).image).toBe(`${image}:1.1.0@${registry.digestOf("1.1.0")}`);
  });

  test("an unsigned version starts nothing, blames nothing, and is applied once it is signed", async () => {
    const { sign, poll, workload, image, ends } = await start({});
    expect(await poll()).toMatchObject({ started: 0, failed: [] });
    const held = await workload();
    expect(held.image).toBe(`${image}:1.0.0`);
    expect(held.gates).toMatchObject([{ name: "signature", reason: "Unverified" }]);
    expect(held.evaluated).toMatchObject({ state: "Held", reason: "Unverified" });
    expect(held.updateRecord).toMatchObject({ failedVersions: [], rollbackCount: 0 });
    const { resourceVersion } = held.record;
    await poll();
    expect((await workload()).record.resourceVersion).toBe(resourceVersion);
    await sign("1.1.0");
    await poll();
    expect(ends).toEqual(["Updated"]);
  });

  test("what is not signed is asked about at each poll: at most five versions, with four requests each", async () => {
    const { poll, registry } = await start({
      tags: ["1.0.0", ...[1, 2, 3, 4, 5, 6, 7].map((minor) => `1.${minor}.0`)],
    });
    const versions = ["1.7.0", "1.6.0", "1.5.0", "1.4.0", "1.3.0"].map(registry.digestOf);
    for (let polls = 0; polls < 2; polls += 1) {
      const from = registry.requests.length;
      expect(await poll()).toMatchObject({ started: 0 });
      const read = registry.requests.slice(from).filter(({ method }) => method === "GET");
      const asked = read.map(({ path }) => path.replace("/v2/team/app/", "")).filter((path) => /sha256/.test(path));
      const expected = versions.flatMap((digest) => {
        const tag = `manifests/${digest.replace(":", "-")}`;
        return [`manifests/${digest}`, `referrers/${digest}`, tag, `${tag}.sig`];
      });
      expect(asked).toEqual(expected);
    }
  });

  test("the newest version that is signed is chosen", async () => {
    const { sign, poll, workload, image, registry } = await start({ tags: ["1.0.0", "1.1.0", "1.2.0", "1.3.0"] });
    await sign("1.1.0");
    await poll();
    const { image: running, updateRecord } = await workload();
    expect(running).toBe(`${image}:1.1.0@${registry.digestOf("1.1.0")}`);
    expect(updateRecord.availableVersion).toBe("1.3.0");
  });

  test("a tag that is pushed again after it was signed is held", async () => {
    const { sign, poll, ends, registry } = await start({});
    await sign("1.1.0");
    registry.push("1.1.0");
    expect(await poll()).toMatchObject({ started: 0 });
    expect(ends).toEqual([]);
  });

  test("a registry that does not answer is no decision", async () => {
    const { sign, poll, registry, workload } = await start({});
    await sign("1.1.0");
    registry.fail(503);
    const report = await poll();
    expect(report).toMatchObject({ started: 0 });
    expect(report.failed).toHaveLength(1);
    expect((await workload()).gates ?? []).toEqual([]);
  });

  test("a rollback restores the version before it, which was never signed", async () => {
    const { sign, poll, workload, image, ends } = await start({ isHealthy: (one) => !one.includes("1.1.0") });
    await sign("1.1.0");
    await poll();
    expect(ends).toEqual(["RolledBack"]);
    expect((await workload()).image).toBe(`${image}:1.0.0`);
  });

  test("a canary whose signature is revoked sleeps, and a poll continues it once it is signed again", async () => {
    const canarySteps = "[{size: 1, pause: {duration: 5m}}, {size: 2}]";
    const annotations = { "pawl.dev/canary-steps": canarySteps, "pawl.dev/health-timeout": "10m" };
    const { sign, workload, image, registry, ends, pawl } = await start({ annotations, replicas: 3 });
    await sign("1.1.0");
    expect(await pawl.poll()).toMatchObject({ started: 1 });
    await eventually("its canary runs", async () => (await workload()).canary?.readyReplicas === 1);
    registry.detach("1.1.0");
    await eventually("it sleeps", async () => (await workload()).inFlight?.parked?.reason === "Unverified");
    expect(await pawl.poll()).toMatchObject({ adopted: 0, inFlight: 1 });
    const asleep = await workload();
    expect(asleep).toMatchObject({ image: `${image}:1.0.0`, canary: { desiredReplicas: 1 } });
    expect(asleep.updateRecord).toMatchObject({ failedVersions: [], rollbackCount: 0 });
    await sign("1.1.0");
    expect(await pawl.poll()).toMatchObject({ adopted: 1 });
    await eventually("it is promoted", async () => ends.includes("Updated"));
    expect((await workload()).image).toBe(`${image}:1.1.0@${registry.digestOf("1.1.0")}`);
  });

  test("pin: tag is held", async () => {
    const { sign, poll, workload } = await start({ annotations: { "pawl.dev/pin": "tag" } });
    await sign("1.1.0");
    await poll();
    expect((await workload()).evaluated).toMatchObject({ state: "Held", reason: "CannotPin" });
  });
});

test("where a rule warns, an unsigned version is applied as without rules", async () => {
  const { poll, workload, image } = await start({ mode: "warn" });
  await poll();
  expect((await workload()).image).toBe(`${image}:1.1.0`);
});

test("a policy that requires a rule is held where there is none", async () => {
  const { poll, workload } = await start({ mode: null, annotations: { "pawl.dev/verify": "true" } });
  await poll();
  expect((await workload()).evaluated).toMatchObject({ state: "Held", reason: "Unverified" });
});

test("without rules, nothing is asked about signatures", async () => {
  const { poll, registry } = await start({ mode: null });
  await poll();
  expect(registry.requests.filter(({ path }) => /referrers|sha256-/.test(path))).toEqual([]);
});

test("the stolen role of the poll cannot apply an unsigned image", async () => {
  const { pawl, workload, image, ends } = await start({ annotations: { "pawl.dev/canary": "1" } });
  const { ref } = await workload();
  const credentials = { accessKeyId: pawl.accessKeyId, secretAccessKey: "x" };
  const client = new SFNClient({ endpoint: pawl.url, region: "local", credentials });
  const target = { kind: "image", image: `${image}:1.1.0`, digest: `sha256:${"e".repeat(64)}` };
  const inputs: readonly object[] = [
    {},
    { target: { kind: "image", image: `${image}:1.1.0` } },
    { verification: { kind: "unmatched", digest: null, reason: "forged" } },
    { strategy: "canary" },
    { strategy: "restart" },
    { adopting: true },
    { strategy: "canary", rollout: { kind: "pass" } },
    { strategy: "canary", rollout: { kind: "next" } },
  ];
  for (const [index, own] of inputs.entries()) {
    const input = {
      cluster: "local",
      workload: ref,
      target,
      strategy: "rolling",
      digests: "",
      adopting: false,
      ...own,
    };
    const started = { stateMachineArn: pawl.stateMachineArn, name: `stolen-${index}`, input: JSON.stringify(input) };
    await client.send(new StartExecutionCommand(started));
  }
  client.destroy();
  await eventually("all executions end", async () => pawl.running() === 0);
  const { image: running, canary } = await workload();
  expect([running, canary]).toEqual([`${image}:1.0.0`, null]);
  expect(ends).toEqual(inputs.map(() => "Superseded"));
});

test("the stolen role of the recorder cannot have an image restored that never ran", async () => {
  const { pawl, workload, image, sign, poll, registry, ends } = await start({
    isHealthy: (one) => !one.includes("1.1.0"),
  });
  await sign("1.1.0");
  const change = pawl.ports.cluster.change.bind(pawl.ports.cluster);
  const forged = `${image}:1.0.0@sha256:${"e".repeat(64)}`;
  const end = poll();
  await eventually("the update is applied", async () => (await workload()).inFlight?.isApplied === true);
  const claimed = await workload();
  await change(claimed, { inFlight: { ...claimed.inFlight!, previousImage: forged } });
  await end;
  const { image: running, updateRecord } = await workload();
  expect(running).toBe(`${image}:1.1.0@${registry.digestOf("1.1.0")}`);
  expect(ends).toEqual(["Withdrawn"]);
  expect(updateRecord.versionHistory.at(-1)?.reason).toContain("1.0.0 is not restored: it is not verified");
});

test("a rollback that nothing proves ends, and the next version that is signed is applied", async () => {
  const { pawl, workload, image, sign, poll, registry, ends } = await start({
    tags: ["1.0.0", "1.1.0"],
    isHealthy: (one) => !one.includes("1.1.0"),
  });
  pawl.ports.cluster.imagesThatRan = async () => [];
  await sign("1.1.0");
  await poll();
  expect(ends).toEqual(["Withdrawn"]);
  registry.push("1.2.0");
  await sign("1.2.0");
  await poll();
  expect(ends).toEqual(["Withdrawn", "Updated"]);
  expect((await workload()).image).toBe(`${image}:1.2.0@${registry.digestOf("1.2.0")}`);
});

test("a rollback to a version that is signed is verified like any other", async () => {
  const { pawl, workload, image, sign, poll, registry, ends } = await start({
    isHealthy: (one) => !one.includes("1.1.0"),
  });
  pawl.ports.cluster.imagesThatRan = async () => [];
  await sign("1.0.0");
  await sign("1.1.0");
  await poll();
  expect(ends).toEqual(["RolledBack"]);
  expect((await workload()).image).toBe(`${image}:1.0.0@${registry.digestOf("1.0.0")}`);
});
