import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { KubeObjectInput } from "./objects.ts";

const folder = new URL("../../cluster/", import.meta.url);

let autoUpdate: object | null = null;

/** Reads the CRD of AutoUpdate, once: to parse it takes longer than the rest of a cluster's start. */
export function autoUpdateCrd(): KubeObjectInput {
  autoUpdate ??= readCrd("crds/auto-update.yaml");
  return autoUpdate as KubeObjectInput;
}

/** Reads the CRDs of BootcNodePool and BootcNode. */
export function nodePoolCrds(): readonly object[] {
  return ["bootc-node-pool", "bootc-node"].map((name) => readCrd(`node-pools/crds/${name}.yaml`));
}

function readCrd(path: string): object {
  return parse(readFileSync(new URL(path, folder), "utf8")) as object;
}

/** The part of k8s4claw's CRD that is needed to store Claws and their status. */
export const clawCrd: KubeObjectInput = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "claws.claw.prismer.ai" },
  spec: {
    group: "claw.prismer.ai",
    scope: "Namespaced",
    names: { plural: "claws", singular: "claw", kind: "Claw", listKind: "ClawList" },
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
