import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { nodePoolCrds } from "../../../infra/local/kubernetes/crds.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";

vi.setConfig({ testTimeout: 60_000 });

const history = (version: string) => [{ version, result: "Healthy", startedAt: "2026-11-20T12:00:00Z" }];

function labelled(object: ReturnType<typeof builtIn>, labels: Readonly<Record<string, string>>) {
  return { ...object, metadata: { ...object.metadata, labels } };
}

function pool(name: string, labels: Readonly<Record<string, string>> = {}) {
  const spec = { nodeSelector: { matchLabels: { role: name } }, image: { ref: "example.com/os:9" } };
  return { apiVersion: "node.bootc.dev/v1alpha1", kind: "BootcNodePool", metadata: { name, labels }, spec };
}

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({}, () => [
    labelled(builtIn("Deployment", "web", "example.com/shop/web:1.0.0"), { app: "web", env: "a" }),
    labelled(builtIn("Deployment", "api", "example.com/shop/api:2.0.0"), { app: "api", env: "b" }),
    labelled(builtIn("StatefulSet", "cart", "example.com/shop/cart:3.0.0"), { app: "cart" }),
    autoUpdate("Deployment", "web", { history: history("1.0.0") }),
    autoUpdate("Deployment", "api", { history: history("2.0.0") }),
    autoUpdate("Deployment", "deleted"),
    ...nodePoolCrds(),
    pool("workers", { env: "a" }),
    pool("infra"),
  ]);
});
afterAll(() => fixture.close());

const linesOf = (stdout: string) => stdout.split("\n").filter((line) => line !== "");

describe("the labels of workloads", () => {
  test.for([
    { selector: "app=web", names: ["deployment/shop/web"] },
    { selector: "app!=web", names: ["deployment/shop/api", "statefulset/shop/cart"] },
    { selector: "env in (a,b)", names: ["deployment/shop/api", "deployment/shop/web"] },
    { selector: "env notin (a)", names: ["deployment/shop/api", "statefulset/shop/cart"] },
    { selector: "env,app!=web", names: ["deployment/shop/api"] },
    { selector: "!env", names: ["statefulset/shop/cart"] },
  ])("$selector", async ({ selector, names }) => {
    const { stdout, stderr, status } = await fixture.pawl("status", "-l", selector, "-o", "name");
    expect({ names: linesOf(stdout).toSorted(), stderr, status }).toEqual({ names, stderr: "", status: 0 });
    const planned = await fixture.pawl("plan", "--no-node-pools", "-l", selector, "-o", "name");
    expect(linesOf(planned.stdout).toSorted()).toEqual(names);
  });

  test("history names the workload of each update", async () => {
    const { stdout, status } = await fixture.pawl("history", "-l", "env in (a, b)", "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { workload: "deployment/shop/api", version: "2.0.0" },
      { workload: "deployment/shop/web", version: "1.0.0" },
    ]);
    const table = await fixture.pawl("history", "-l", "app=web");
    expect(table.stdout).toMatch(/^WORKLOAD +VERSION .*\ndeployment\/shop\/web +1\.0\.0 /);
  });
});

test("the labels of node pools", async () => {
  expect(await fixture.pawl("pools", "-l", "env=a", "-o", "name")).toMatchObject({ stdout: "bootcnodepool/workers\n" });
  expect(await fixture.pawl("plan", "-l", "env=a", "-o", "name")).toMatchObject({
    stdout: "deployment/shop/web\nbootcnodepool/workers\n",
  });
});

test.for([
  { args: ["status", "-l", "app=none"], stderr: "no workloads with Pawl enabled and labels app=none", status: 0 },
  {
    args: ["plan", "-l", "app=none"],
    stderr: "no workloads with Pawl enabled and labels app=none, and no node",
    status: 0,
  },
  { args: ["history", "-l", "app=none"], stderr: "no workloads with Pawl enabled and labels app=none", status: 1 },
  { args: ["history", "-l", "app=cart"], stderr: "statefulset/shop/cart: no completed updates", status: 1 },
  { args: ["pools", "-l", "app=none"], stderr: "no BootcNodePool with labels app=none", status: 0 },
  { args: ["history"], stderr: "no workload is named; name one, or select some with -l", status: 2 },
  { args: ["status", "-l", "app=web=db"], stderr: '"app=web=db" is not a requirement', status: 2 },
  { args: ["status", "-l", ""], stderr: '"" is not a requirement', status: 2 },
  { args: ["status", "shop/web", "-l", "app=web"], stderr: "-l: names are given too", status: 2 },
  { args: ["history", "shop/web", "-l", "app=web"], stderr: "-l: names are given too", status: 2 },
  { args: ["pools", "workers", "-l", "app=web"], stderr: "-l: a name is given too", status: 2 },
])("$args: exit code $status", async ({ args, stderr, status }) => {
  const ran = await fixture.pawl(...args);
  expect(ran).toMatchObject({ stdout: "", status });
  expect(ran.stderr).toContain(stderr);
});

test("--watch prints the selected workloads, also those that are enabled later", async () => {
  const command = fileURLToPath(new URL("../../../cli/pawl.ts", import.meta.url));
  const args = [command, "status", "-w", "-o", "name", "-l", "!env", "--kubeconfig", fixture.kubeconfig];
  const child = spawn(process.execPath, args, { env: { PATH: process.env["PATH"] } });
  let output = "";
  child.stdout.on("data", (part: Buffer) => (output += part.toString()));
  try {
    await vi.waitFor(() => expect(output).toContain("statefulset/shop/cart"), { timeout: 30_000 });
    for (const [name, labels] of [
      ["hidden", { env: "a" }],
      ["later", {}],
    ] as const)
      await fixture.create("apps/v1/namespaces/shop/deployments", {
        ...labelled(builtIn("Deployment", name, "example.com/shop/web:1.0.0"), labels),
        status: {},
      });
    await vi.waitFor(() => expect(output).toContain("deployment/shop/later"), { timeout: 30_000 });
    expect(output).not.toMatch(/web|api|hidden/);
  } finally {
    child.kill("SIGINT");
  }
  expect(await once(child, "close")).toEqual([0, null]);
});
