import type { LabelSelector } from "../../../domain/label-selector.ts";
import { partitionCanary } from "./partition-canary.ts";
import type { BuiltIn } from "./built-in.ts";
import type { BuiltInObject, TemplateOfPods } from "./pod-template.ts";

export interface StatefulSet extends BuiltInObject {
  readonly spec: TemplateOfPods & {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
  };
}

export const statefulSet: BuiltIn<StatefulSet> = {
  canary: partitionCanary,
  resource: { group: "apps", version: "v1", plural: "statefulsets", kind: "StatefulSet" },
  observedGeneration: ({ status }) => status?.observedGeneration,
  rollout: ({ spec, status = {} }) => ({
    desiredReplicas: spec.replicas ?? 1,
    updatedReplicas: status.updatedReplicas ?? 0,
    readyReplicas: status.readyReplicas ?? 0,
    oldReplicas: 0,
  }),
  obstacle({ spec: { updateStrategy } }) {
    if (updateStrategy?.type === "OnDelete") return onDelete;
    const partition = updateStrategy?.rollingUpdate?.partition ?? 0;
    return partition === 0
      ? null
      : `spec.updateStrategy.rollingUpdate.partition ${partition}: pods below it would keep the old image: set it to 0`;
  },
};

const onDelete =
  "spec.updateStrategy.type OnDelete: pods would keep the old image until they are deleted by hand: use RollingUpdate";
