import type { KubeObjectInput } from "./objects.ts";

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
