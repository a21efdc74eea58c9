import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CustomObjectsApi, type KubeConfig, type V1CustomResourceDefinition } from "@kubernetes/client-node";
import { parse } from "yaml";
import { eventually } from "../control-plane/eventually.ts";

const files = {
  claw: "claw.yaml",
  "pod-metrics": "pod-metrics.yaml",
  "auto-update": "../../../infra/cluster/crds/auto-update.yaml",
  "stateful-canary": "../../../infra/cluster/crds/stateful-canary.yaml",
  "bootc-node-pool": "../../../infra/cluster/node-pools/crds/bootc-node-pool.yaml",
  "bootc-node": "../../../infra/cluster/node-pools/crds/bootc-node.yaml",
} as const;

export const crds = Object.keys(files) as readonly (keyof typeof files)[];

/** Applies a definition, and resolves when objects of its kind can be listed. There already is fine. */
export async function installCrd(kubeConfig: KubeConfig, name: keyof typeof files): Promise<void> {
  const text = await readFile(join(import.meta.dirname, files[name]), "utf8");
  const body = parse(text) as V1CustomResourceDefinition;
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  // As it is: the typed client drops the extensions of a schema, and with them the fields that it is to preserve.
  await custom
    .createClusterCustomObject({
      group: "apiextensions.k8s.io",
      version: "v1",
      plural: "customresourcedefinitions",
      body,
    })
    .catch((error: { code?: number }) => {
      if (error.code !== 409) throw error;
    });
  const { group, names, versions } = body.spec;
  const version = versions[0]?.name ?? "";
  await eventually(`${names.plural} are served`, async () => {
    await custom.listCustomObjectForAllNamespaces({ group, version, resourcePlural: names.plural });
    return true;
  });
  if (name === "bootc-node" || name === "bootc-node-pool") await waitForPolicy(custom, { group, version });
}

/**
 * Waits until the API server knows the parameters of a policy, whose kind may be newer than that: it looks for kinds every 30 s. Returns
 * at once while one of the two kinds is missing.
 */
async function waitForPolicy(custom: CustomObjectsApi, of: { group: string; version: string }): Promise<void> {
  const isServed = (resourcePlural: string) =>
    custom.listCustomObjectForAllNamespaces({ ...of, resourcePlural }).then(
      () => true,
      () => false,
    );
  if (!(await isServed("bootcnodes")) || !(await isServed("bootcnodepools"))) return;
  const spec = { desiredImage: `quay.io/org/os@sha256:${"0".repeat(64)}` };
  const body = { apiVersion: `${of.group}/${of.version}`, kind: "BootcNode", metadata: { name: "never" }, spec };
  await eventually("the policy of images has its parameters", async () => {
    const refusal = await custom.createClusterCustomObject({ ...of, plural: "bootcnodes", body, dryRun: "All" }).then(
      () => "",
      (error: Error) => error.message,
    );
    return !refusal.includes("paramKind");
  });
}
