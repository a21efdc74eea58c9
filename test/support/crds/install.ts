import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  ApiextensionsV1Api,
  CustomObjectsApi,
  type KubeConfig,
  type V1CustomResourceDefinition,
} from "@kubernetes/client-node";
import { parse } from "yaml";
import { eventually } from "../control-plane/eventually.ts";

/** Applies `<name>.yaml` of this folder, and resolves when objects of its kind can be listed. There already is fine. */
export async function installCrd(kubeConfig: KubeConfig, name: "claw"): Promise<void> {
  const text = await readFile(join(import.meta.dirname, `${name}.yaml`), "utf8");
  const body = parse(text) as V1CustomResourceDefinition;
  await kubeConfig
    .makeApiClient(ApiextensionsV1Api)
    .createCustomResourceDefinition({ body })
    .catch((error: { code?: number }) => {
      if (error.code !== 409) throw error;
    });
  const { group, names, versions } = body.spec;
  const custom = kubeConfig.makeApiClient(CustomObjectsApi);
  const version = versions[0]?.name ?? "";
  await eventually(`${names.plural} are served`, async () => {
    await custom.listCustomObjectForAllNamespaces({ group, version, resourcePlural: names.plural });
    return true;
  });
}
