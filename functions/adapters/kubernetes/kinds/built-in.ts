import { annotations } from "../../../domain/annotations.ts";
import { parseImageReference } from "../../../domain/image-reference.ts";
import { readPolicy, type WrittenPolicy } from "../../../domain/policy.ts";
import type { Change, Rollout, Workload } from "../../../domain/workload.ts";
import {
  type AnnotationPatch,
  type Annotations,
  announcedPatch,
  bookkeepingPatch,
  hasMarks,
  inFlightPatch,
  noLongerInFlightPatch,
  readAnnounced,
  readBookkeeping,
  readInFlight,
} from "../annotated.ts";
import { apiVersionOf, type KubernetesObject, type PodTemplate, type Resource } from "../objects.ts";
import type { WorkloadKind } from "./kind.ts";

export interface BuiltInObject extends KubernetesObject {
  readonly spec: { readonly template: PodTemplate };
}

/** What one built-in kind has of its own. */
export interface BuiltIn<T extends BuiltInObject> {
  readonly resource: Resource;
  /** The counts of its status, whatever their names are there. */
  readonly rollout: (object: T) => Omit<Rollout, "generation" | "observedGeneration" | "image">;
  readonly observedGeneration: (object: T) => number | undefined;
  /** Why the kind's controller would not roll out a change of the template by itself; null where it would. */
  readonly obstacle: (object: T) => string | null;
}

const day = 86_400;

const written: Readonly<Record<keyof WrittenPolicy, string>> = {
  enabled: annotations.autoUpdate,
  paused: annotations.paused,
  versionConstraint: annotations.versionConstraint,
  schedule: annotations.schedule,
  tagPattern: annotations.tagPattern,
  healthTimeout: annotations.healthTimeout,
  maxRollbacks: annotations.maxRollbacks,
};

const rules = {
  defaultSchedule: null,
  minHealthTimeoutSeconds: 1,
  maxHealthTimeoutSeconds: day,
  spell: (field: keyof WrittenPolicy) => written[field],
};

/** A Deployment, StatefulSet or DaemonSet: policy, bookkeeping and marks are annotations, and one patch sets the image too. */
export function builtInKind<T extends BuiltInObject>(kind: BuiltIn<T>): WorkloadKind {
  return {
    resource: kind.resource,
    isStatefulSet: kind.resource.plural === "statefulsets",
    listedAs: "metadata",
    isOptedIn: ({ metadata }) => {
      const value = metadata.annotations?.[annotations.autoUpdate];
      return (value !== undefined && value !== "false") || hasMarks(metadata.annotations, annotations);
    },
    read: async (object) => readBuiltIn(object as T, kind),
    async write(object, change, api) {
      const { resourceVersion } = object.metadata;
      const metadata = { resourceVersion, annotations: annotationPatch(change) };
      const body = { metadata, ...imagePatch(object as T, change) };
      await api.patch(kind.resource, object.metadata, "application/strategic-merge-patch+json", body);
    },
  };
}

function readBuiltIn<T extends BuiltInObject>(object: T, kind: BuiltIn<T>): Workload {
  const { namespace, name, uid, resourceVersion, generation = 1, annotations: from = {} } = object.metadata;
  const image = containerOf(object)?.image ?? null;
  const { policy, problems: policyProblems } = readPolicy(writtenPolicy(from), rules);
  const { bookkeeping, problems: bookkeepingProblems } = readBookkeeping(from);
  return {
    ref: { apiVersion: apiVersionOf(kind.resource), kind: kind.resource.kind, namespace, name, uid },
    resourceVersion,
    policy,
    problems: [
      ...optInProblems(from),
      ...policyProblems,
      ...bookkeepingProblems,
      ...imageProblems(object),
      ...obstacles(object, kind),
    ],
    source: image,
    image,
    inFlight: readInFlight(from, annotations),
    bookkeeping,
    rollout: { ...kind.rollout(object), image, generation, observedGeneration: kind.observedGeneration(object) ?? 0 },
    announced: readAnnounced(from),
  };
}

function writtenPolicy(from: Annotations): WrittenPolicy {
  return {
    enabled: from[annotations.autoUpdate] === "true",
    paused: from[annotations.paused],
    versionConstraint: from[annotations.versionConstraint],
    schedule: from[annotations.schedule],
    tagPattern: from[annotations.tagPattern],
    healthTimeout: from[annotations.healthTimeout],
    maxRollbacks: from[annotations.maxRollbacks],
  };
}

/** The container that is kept up to date: the one that is named, otherwise the first. */
function containerOf(object: BuiltInObject) {
  const { containers } = object.spec.template.spec;
  const named = object.metadata.annotations?.[annotations.container];
  return named ? containers.find(({ name }) => name === named) : containers[0];
}

function optInProblems(from: Annotations): readonly string[] {
  const value = from[annotations.autoUpdate];
  if (value === undefined || value === "true" || value === "false") return [];
  return [`${annotations.autoUpdate} "${value}": is neither "true" nor "false"`];
}

function imageProblems(object: BuiltInObject): readonly string[] {
  const container = containerOf(object);
  const names = object.spec.template.spec.containers.map(({ name }) => name).join(", ");
  if (container === undefined) {
    return [
      `${annotations.container} "${object.metadata.annotations?.[annotations.container]}": no such container, there are ${names}`,
    ];
  }
  const parsed = parseImageReference(container.image ?? "");
  return "kind" in parsed ? [`image "${container.image}" of container ${container.name}: ${parsed.reason}`] : [];
}

function obstacles<T extends BuiltInObject>(object: T, kind: BuiltIn<T>): readonly string[] {
  const obstacle = kind.obstacle(object);
  return obstacle === null ? [] : [obstacle];
}

/** A built-in kind says what it runs in its own template: the target is taken away with the other marks. */
function annotationPatch({ inFlight, bookkeeping, announced, paused }: Change): AnnotationPatch {
  const isOver = inFlight === null || inFlight?.rollingBack === true;
  return {
    ...(inFlight === undefined
      ? {}
      : inFlight === null
        ? noLongerInFlightPatch(annotations)
        : inFlightPatch(inFlight, annotations)),
    ...(isOver ? { [annotations.targetImage]: null } : {}),
    ...bookkeepingPatch(bookkeeping ?? {}),
    ...announcedPatch(announced ?? {}),
    ...(paused === undefined ? {} : { [annotations.paused]: paused ? "true" : null }),
  };
}

/** Merged by the container's name. With nothing to go back to the template stays as it is. */
function imagePatch(object: BuiltInObject, { image }: Change): object {
  const container = containerOf(object);
  if (image === undefined || image === null || container === undefined) return {};
  return { spec: { template: { spec: { containers: [{ name: container.name, image }] } } } };
}
