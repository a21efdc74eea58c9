import { SFNClient, StartExecutionCommand } from "@aws-sdk/client-sfn";
import { describe, expect, test } from "vitest";
import { eventually } from "../support/control-plane/eventually.ts";
import { startVerifiedPawl } from "./verified-pawl.ts";

/** Starts it with one version, and a ConfigMap whose changes restart the Deployment. */
async function start(annotations: object = {}) {
  const rules = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "rules", namespace: "shop" },
    data: { a: "1" },
  };
  const started = await startVerifiedPawl({
    tags: ["1.0.0"],
    annotations: {
      "pawl.dev/restart-on-config-change": "true",
      "pawl.dev/settle-time": "0s",
      "pawl.dev/minimum-interval": "0s",
      ...annotations,
    },
    container: { envFrom: [{ configMapRef: { name: "rules" } }] },
    objects: [rules],
  });
  const write = async (path: string, body: object) => {
    const headers = { "content-type": "application/merge-patch+json" };
    const sent = await fetch(`${started.url}${path}`, { method: "PATCH", headers, body: JSON.stringify(body) });
    expect(sent.status).toBe(200);
  };
  let edits = 1;
  return {
    ...started,
    editConfig: () => write("/api/v1/namespaces/shop/configmaps/rules", { data: { a: `${(edits += 1)}` } }),
    setImage: (image: string) =>
      write("/apis/apps/v1/namespaces/shop/deployments/web", {
        spec: {
          template: { spec: { containers: [{ name: "app", image, envFrom: [{ configMapRef: { name: "rules" } }] }] } },
        },
      }),
  };
}

describe("a restart for another configuration, where a rule is for the image", () => {
  test("runs the digest that was verified, which is written beside the tag", async () => {
    const { poll, sign, editConfig, workload, image, registry, ends } = await start();
    await sign("1.0.0");
    await poll();
    await editConfig();
    expect(await poll()).toMatchObject({ started: 1, failed: [] });
    expect(ends).toEqual(["Updated"]);
    expect((await workload()).image).toBe(`${image}:1.0.0@${registry.digestOf("1.0.0")}`);
  });

  test("is held while what the tag resolves to is not signed, and restarts nothing", async () => {
    const { poll, sign, editConfig, workload, image, registry, ends } = await start();
    await sign("1.0.0");
    await poll();
    registry.push("1.0.0");
    await editConfig();
    expect(await poll()).toMatchObject({ started: 0, failed: [] });
    const held = await workload();
    expect(held).toMatchObject({ image: `${image}:1.0.0`, restartedAt: null });
    expect(held.evaluated).toMatchObject({ state: "Held", reason: "Unverified" });
    await sign("1.0.0");
    await poll();
    expect(ends).toEqual(["Updated"]);
    expect((await workload()).image).toBe(`${image}:1.0.0@${registry.digestOf("1.0.0")}`);
  });

  test("of a digest in place keeps that, whatever its tag resolves to now", async () => {
    const { poll, sign, editConfig, setImage, workload, image, registry, ends } = await start();
    await sign("1.0.0");
    const pinned = `${image}:1.0.0@${registry.digestOf("1.0.0")}`;
    await setImage(pinned);
    await poll();
    registry.push("1.0.0");
    await editConfig();
    await poll();
    expect(ends).toEqual(["Updated"]);
    expect((await workload()).image).toBe(pinned);
  });

  test("is held with pin: tag", async () => {
    const { poll, sign, editConfig, workload } = await start({ "pawl.dev/pin": "tag" });
    await sign("1.0.0");
    await poll();
    await editConfig();
    expect(await poll()).toMatchObject({ started: 0 });
    expect((await workload()).evaluated).toMatchObject({ state: "Held", reason: "CannotPin" });
  });

  test("is not started by the stolen role of the poll while the image is not signed", async () => {
    const { pawl, poll, workload, image, ends } = await start();
    await poll();
    const { ref } = await workload();
    const credentials = { accessKeyId: pawl.accessKeyId, secretAccessKey: "x" };
    const client = new SFNClient({ endpoint: pawl.url, region: "local", credentials });
    const invented = `sha256:${"e".repeat(64)}`;
    const targets = [
      { kind: "config", image: `${image}:1.0.0`, digest: invented },
      { kind: "digest", image: `${image}:1.0.0`, digest: invented },
      { kind: "restart", image: `${image}:1.0.0`, request: "0" },
    ];
    for (const [index, target] of targets.entries()) {
      const digests = `configmap/rules:${invented},app:${invented}`;
      const input = { cluster: "local", workload: ref, target, strategy: "restart", digests, adopting: false };
      const started = { stateMachineArn: pawl.stateMachineArn, name: `stolen-${index}`, input: JSON.stringify(input) };
      await client.send(new StartExecutionCommand(started));
    }
    client.destroy();
    await eventually("all executions end", async () => pawl.running() === 0);
    expect(await workload()).toMatchObject({ image: `${image}:1.0.0`, restartedAt: null });
    expect(ends).toEqual(targets.map(() => "Superseded"));
  });
});
