import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";

vi.setConfig({ testTimeout: 60_000 });

const history = [{ version: "1.0.0", result: "Healthy", startedAt: "2026-11-20T12:00:00Z" }];

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({}, () => [
    builtIn("Deployment", "web", "example.com/shop/web:1.0.0"),
    autoUpdate("Deployment", "web", { failedVersions: ["1.1.0"], history }),
    builtIn("Deployment", "api", "example.com/shop/api:2.0.0"),
    builtIn("StatefulSet", "cart", "example.com/shop/cart:3.0.0"),
  ]);
});
afterAll(() => fixture.close());

describe("pawl status", () => {
  test.for([
    { args: ["-o", "name"], names: ["deployment/shop/api", "deployment/shop/web", "statefulset/shop/cart"] },
    { args: ["shop/web", "shop/cart", "-o", "name"], names: ["deployment/shop/web", "statefulset/shop/cart"] },
    {
      args: ["deployment", "web", "api", "-n", "shop", "-o", "name"],
      names: ["deployment/shop/web", "deployment/shop/api"],
    },
    { args: ["deploy/web", "-n", "shop", "-o", "name"], names: ["deployment/shop/web"] },
    { args: ["-A", "-o", "name"], names: ["deployment/shop/api", "deployment/shop/web", "statefulset/shop/cart"] },
  ])("$args", async ({ args, names }) => {
    const { stdout, status } = await fixture.pawl("status", ...args);
    expect({ names: stdout.trimEnd().split("\n"), status }).toEqual({ names, status: 0 });
  });

  test("-o yaml and -o json print the same document", async () => {
    const [yaml, json, short] = await Promise.all([
      fixture.pawl("status", "-o", "yaml"),
      fixture.pawl("status", "-o", "json"),
      fixture.pawl("status", "--json"),
    ]);
    expect(parse(yaml.stdout)).toEqual(JSON.parse(json.stdout));
    expect(short.stdout).toBe(json.stdout);
  });

  test("-o wide has more columns", async () => {
    const { stdout } = await fixture.pawl("status", "shop/web", "-o", "wide");
    expect(stdout).toMatch(/^WORKLOAD .* LAST UPDATE +FAILED VERSIONS\n.* 1\.1\.0\n/);
  });

  test.for([
    { args: ["status", "-o", "xml"], message: "Allowed choices are wide, json, yaml, name" },
    { args: ["status", "-o", "json", "--json"], message: "cannot be used with" },
    { args: ["status", "-A", "-n", "shop"], message: "cannot be used with" },
    { args: ["status", "shop/web", "shop/none"], message: "no workload shop/none" },
    { args: ["history", "shop/web", "--watch", "-o", "yaml"], message: "--watch prints one document per line" },
    { args: ["status", "--watch", "-o", "yaml"], message: "--watch prints one document per line" },
  ])("$args is refused", async ({ args, message }) => {
    const { stdout, stderr, status } = await fixture.pawl(...args);
    expect({ stdout, isRefused: status === 1 || status === 2 }).toEqual({ stdout: "", isRefused: true });
    expect(stderr).toContain(message);
  });
});

test("pawl history -o yaml and -o name", async () => {
  const yaml = parse(
    (await fixture.pawl("history", "deployment", "web", "-n", "shop", "-o", "yaml")).stdout,
  ) as unknown;
  expect(yaml).toMatchObject([{ version: "1.0.0", status: "Healthy" }]);
  expect((await fixture.pawl("history", "shop/web", "-o", "name")).stdout).toBe("1.0.0\n");
});

test("pawl history of several workloads names each", async () => {
  const { stdout } = await fixture.pawl("history", "shop/web", "shop/api", "--json");
  expect(JSON.parse(stdout)).toMatchObject([{ workload: "deployment/shop/web", version: "1.0.0" }]);
});

test("pawl pause and pawl resume take several names", async () => {
  const names = ["deployment", "web", "api", "-n", "shop"];
  expect(await fixture.pawl("pause", ...names)).toEqual({
    stdout: "deployment/shop/web: paused\ndeployment/shop/api: paused\n",
    stderr: "",
    status: 0,
  });
  const resumed = await fixture.pawl("resume", ...names, "--json");
  expect(JSON.parse(resumed.stdout)).toEqual(
    ["web", "api"].map((name) => ({ workload: `deployment/shop/${name}`, paused: false, changed: true })),
  );
});

test("pawl status --watch prints each workload again after a change, until Ctrl-C", async () => {
  const command = fileURLToPath(new URL("../../../cli/pawl.ts", import.meta.url));
  const args = [command, "status", "--watch", "--kubeconfig", fixture.kubeconfig];
  const child = spawn(process.execPath, args, { env: { PATH: process.env["PATH"] } });
  let output = "";
  child.stdout.on("data", (part: Buffer) => (output += part.toString()));
  try {
    await vi.waitFor(() => expect(output).toContain("deployment/shop/web"), { timeout: 30_000 });
    expect(output).toMatch(/^WORKLOAD +STATE +CURRENT/);
    await fixture.annotate("apps/v1/namespaces/shop/deployments/api", { "pawl.dev/paused": "true" });
    await vi.waitFor(() => expect(output).toMatch(/deployment\/shop\/api +Held/), { timeout: 30_000 });
    expect(output.match(/deployment\/shop\/web/g)).toHaveLength(1);
  } finally {
    child.kill("SIGINT");
  }
  const [code] = (await once(child, "close")) as [number | null];
  expect(code).toBe(0);
});

test.for(["status", "plan"])("pawl %s says that a namespace does not exist", async (command) => {
  expect(await fixture.pawl(command, "-n", "nope")).toMatchObject({
    stdout: "",
    stderr: "pawl: no workloads with Pawl enabled: namespace nope not found\n",
    status: 0,
  });
});
