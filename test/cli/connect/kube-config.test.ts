import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { loadKubeConfig } from "../../../cli/connect/kube-config.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pawl-kube-config-"));
  for (const [name, current] of [
    ["one", "one"],
    ["two", "two"],
    ["none", ""],
  ] as const) {
    const contexts = [name, "shared"].map((context) => ({
      name: context,
      context: { cluster: context, user: context },
    }));
    const clusters = [name, "shared"].map((cluster) => ({
      name: cluster,
      cluster: { server: `https://${name}.example` },
    }));
    const users = [name, "shared"].map((user) => ({ name: user, user: {} }));
    const file = { apiVersion: "v1", kind: "Config", contexts, clusters, users, "current-context": current };
    await writeFile(join(folder, name), JSON.stringify(file));
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** Loads what KUBECONFIG lists. */
async function load(names: readonly string[], options = {}) {
  vi.stubEnv("KUBECONFIG", names.map((name) => join(folder, name)).join(":"));
  try {
    return await loadKubeConfig(options);
  } finally {
    vi.unstubAllEnvs();
  }
}

test.for([
  { files: ["one"], context: "one", server: "https://one.example" },
  { files: ["one", "two"], context: "one", server: "https://one.example" },
  { files: ["missing", "two", "one"], context: "two", server: "https://two.example" },
  { files: ["none", "two"], context: "two", server: "https://two.example" },
])("of $files, the context is $context", async ({ files, context, server }) => {
  const loaded = await load(files);
  expect([loaded.getCurrentContext(), loaded.getCurrentCluster()?.server]).toEqual([context, server]);
});

test("the first file that names a cluster has precedence", async () => {
  const loaded = await load(["two", "one"], { context: "shared" });
  expect(loaded.getCurrentCluster()?.server).toBe("https://two.example");
});

test("if no file exists, the error names them", async () => {
  await expect(load(["missing", "gone"])).rejects.toThrow(/missing:.*gone is invalid: none of its files exists/);
});
