import { cordonAnnotation, protectionMark } from "../../../domain/node-pool/pool/annotations.ts";
import type { KubeNode } from "../../../domain/node-pool/node/bootc-node.ts";
import { parseProtection, protectionAnnotations } from "../../../domain/node-pool/node/protection.ts";
import type { NodeScope } from "../../../ports/node-pools.ts";

/** The parts of a Node that Pawl reads; the metadata scope has no spec or status. */
export interface NodeObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly unschedulable?: boolean; readonly providerID?: string };
  readonly status?: {
    readonly nodeInfo?: { readonly bootID?: string; readonly osImage?: string; readonly kernelVersion?: string };
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly lastTransitionTime?: Date;
    }[];
  };
}

export function readNode({ metadata, spec = {}, status = {} }: NodeObject, scope: NodeScope): KubeNode {
  const { uid, resourceVersion, labels = {}, annotations = {} } = metadata;
  const condition = status.conditions?.find(({ type }) => type === "Ready");
  return {
    uid,
    resourceVersion,
    labels,
    unschedulable: spec.unschedulable ?? false,
    ready: scope === "metadata" || condition?.status === "True",
    readyChangedAt: readTime(condition?.lastTransitionTime),
    conditions: scope === "metadata" ? null : readConditions(status.conditions ?? []),
    bootId: status.nodeInfo?.bootID || null,
    osImage: status.nodeInfo?.osImage || null,
    kernelVersion: status.nodeInfo?.kernelVersion || null,
    healthProblem: null,
    cordonedByPool: annotations[cordonAnnotation] || null,
    protection: parseProtection(annotations[protectionMark] ?? "", annotations),
    missingProtection: protectionAnnotations.filter((key) => !Object.hasOwn(annotations, key)),
    providerId: spec.providerID || null,
  };
}

function readConditions(conditions: readonly { readonly type: string; readonly status: string }[]) {
  return Object.fromEntries(conditions.map(({ type, status }) => [type, status]));
}

/** The typed client parses times, also invalid ones. */
function readTime(time: Date | undefined): Date | null {
  return time === undefined || Number.isNaN(time.getTime()) ? null : time;
}
