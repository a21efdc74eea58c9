import type { ObservedPod } from "../../functions/domain/health/observed-pod.ts";
import type { Evidence } from "../../functions/domain/health/evidence.ts";
import { Conflict, Forbidden } from "../../functions/ports/errors.ts";
import type { ContainerDigest } from "../../functions/domain/workload/digest/tracking.ts";
import type { Change } from "../../functions/domain/workload/update/change.ts";
import type { OwnedImage } from "../../functions/domain/workload/owner/coexistence.ts";
import { pinTemplate } from "../../functions/domain/workload/release/pin-template.ts";
import type { Snapshot } from "../../functions/domain/workload/release/release.ts";
import type { JobRun } from "../../functions/domain/workload/cron-job/job-run.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { RolledPod } from "../../functions/domain/workload/on-delete/pod.ts";
import type { KubernetesEvent, Cluster, Eviction, HookJobSpec } from "../../functions/ports/cluster.ts";
import type { HookJob } from "../../functions/domain/workload/hook/hook.ts";
import { applyWrite, editedWorkload, viewOf } from "./fakes/fake-writes.ts";
import { splitWrites, type Write } from "./fakes/split-writes.ts";

/** Where a test may throw or make a manual change. "halfway change 1" is between the first write of a change and the second. */
export type Moment = `${"before" | "halfway" | "after"} ${string}`;
export type AtMoment = (moment: Moment) => void;

/** Returns the result of `work`, and calls `atMoment` before and after it. */
export async function guarded<Result>(atMoment: AtMoment, call: string, work: () => Result): Promise<Awaited<Result>> {
  atMoment(`before ${call}`);
  const result = await work();
  atMoment(`after ${call}`);
  return result;
}

export interface FakeCluster extends Cluster {
  /** Returns the current workload by uid. Throws if it was deleted. */
  get(uid?: string): Workload;
  /** Returns every workload that is stored. */
  all(): readonly Workload[];
  /** Replaces a workload like a manual change, with new versions of its objects that differ. */
  put(workload: Workload): void;
  remove(uid: string): void;
  /** Events as kubectl lists them: one for each reason and key. */
  events(): readonly KubernetesEvent[];
  /** Since when the stuck pods that were deleted were not ready; null means any time. */
  readonly stuckPodDeletions: readonly (Date | null)[];
  /** The Jobs of hooks that were created. */
  readonly hookJobs: readonly HookJobSpec[];
  /** The names of the Jobs of hooks that were deleted. */
  readonly stoppedJobs: readonly string[];
}

export interface FakePods {
  /** Images whose pods never become ready. */
  readonly broken?: ReadonlySet<string>;
  /** Analyses by name, the same in every namespace. */
  readonly analyses?: Readonly<Record<string, string>>;
  /** Who sets the images of all workloads again. */
  readonly owner?: OwnedImage | null;
  /** The content of the ConfigMap with the freezes; null if there is none. */
  readonly freeze?: () => string | null;
  /** Why approvals prove nothing; null if they do. */
  readonly approvalProblem?: () => string | null;
  /** Likewise requests. */
  readonly requestProblem?: () => string | null;
  /** Digests of the configuration by reference; the first is also that of all of it. Those of others are of absent objects. */
  readonly config?: () => Readonly<Record<string, string>>;
  /** What every pod reports. */
  readonly running?: readonly ContainerDigest[] | ((workload: Workload) => readonly ContainerDigest[]);
  /** Unavailable pods whose images are not the cause. */
  readonly excused?: number;
  /** Pods of the update that fail; if absent, those that are neither available nor excused. */
  readonly failing?: number;
  /** The templates that the controllers keep, newest first, each with its hash in the label `hash`. */
  readonly snapshots?: readonly Snapshot[];
  readonly crashed?: number;
  /** The pods of the update that are not ready, while there are any. */
  readonly evidence?: readonly Evidence[];
  /** Pods of the version before the update that have failed since it began. */
  readonly control?: readonly Evidence[];
  /** The pods of the update. */
  readonly observed?: () => readonly ObservedPod[];
  /** Of a workload whose pods Pawl replaces. */
  readonly rolledPods?: () => readonly RolledPod[];
  /** Those of a CronJob. */
  readonly jobs?: () => readonly JobRun[];
  /** Called with the name of each pod that is evicted. */
  readonly evict?: (name: string) => Eviction;
  /** How the Job of each hook ends, by the name of its template; those of others succeed. */
  readonly hooks?: Readonly<Record<string, HookJob>>;
}

/** Counts the unavailable pods of a workload, or of its canary, that are not excused. */
function countFailing({ canary, rollout, inFlight }: Workload, excused: number): number {
  const counts = inFlight?.phase === "canary" ? canary : rollout;
  return counts === null
    ? 0
    : Math.max(0, counts.updatedReplicas + counts.oldReplicas - counts.readyReplicas - excused);
}

const absentDigest = `config:${"0".repeat(32)}`;

/** Returns workloads in memory. Their pods match the template at once, and are ready unless their image is in `broken`. */
export function fakeCluster(
  workloads: readonly Workload[],
  atMoment: AtMoment,
  {
    broken = new Set(),
    analyses = {},
    freeze = () => null,
    approvalProblem = () => null,
    requestProblem = () => null,
    owner = null,
    config = () => ({}),
    running = [],
    snapshots = [],
    excused = 0,
    failing,
    crashed = 0,
    evidence = [],
    control = [],
    hooks = {},
    observed = () => [],
    jobs = () => [],
    ...rolled
  }: FakePods = {},
): FakeCluster {
  const stored = new Map(workloads.map((workload) => [workload.ref.uid, workload]));
  const initialImages = new Map(workloads.map((workload) => [workload.ref.uid, workload.rollout?.image ?? null]));
  const events = new Map<string, KubernetesEvent>();
  const stuckPodDeletions: (Date | null)[] = [];
  const hookJobs: HookJobSpec[] = [];
  const stoppedJobs: string[] = [];

  function apply(uid: string, write: Write): void {
    const current = stored.get(uid);
    if (current !== undefined) stored.set(uid, applyWrite(current, write, initialImages.get(uid) ?? null, broken));
  }

  function checkVersion({ ref }: Workload, object: Write["to"], version: string | null): void {
    const current = stored.get(ref.uid);
    const found = object === "record" ? current?.record.resourceVersion : current?.resourceVersion;
    if (current === undefined || (object !== "canary" && found !== version))
      throw new Conflict(`${ref.name} has changed`);
  }

  /** Each write is conditional on the version of its object that was read, or that the write before it returned. */
  function change(workload: Workload, whole: Change): void {
    const { uid } = workload.ref;
    checkVersion(workload, "workload", workload.resourceVersion);
    checkVersion(workload, "record", workload.record.resourceVersion);
    const current = stored.get(uid) as Workload;
    const versions = { workload: workload.resourceVersion, record: workload.record.resourceVersion, canary: null };
    for (const [index, write] of splitWrites({ ...current, record: workload.record }, whole).entries()) {
      if (index > 0) atMoment(`halfway change ${index}`);
      checkVersion(workload, write.to, versions[write.to]);
      apply(uid, write);
      versions.workload = write.to === "workload" ? (stored.get(uid) as Workload).resourceVersion : versions.workload;
      versions.record = write.to === "record" ? (stored.get(uid) as Workload).record.resourceVersion : versions.record;
    }
  }

  function viewed(uid: string): Workload | null {
    const found = stored.get(uid);
    return found === undefined ? null : viewOf(found);
  }

  return {
    name: "production",
    events: () => [...events.values()],
    stuckPodDeletions,
    hookJobs,
    stoppedJobs,
    all: () => [...stored.values()],
    get(uid = "u-1") {
      const found = stored.get(uid);
      if (found === undefined) throw new Error(`${uid} was deleted`);
      return found;
    },
    put(workload) {
      stored.set(workload.ref.uid, editedWorkload(stored.get(workload.ref.uid) ?? workload, workload));
    },
    remove: (uid) => void stored.delete(uid),
    /** A page has one workload. */
    async *list(_onSkipped, steps) {
      atMoment("before list");
      const listed = new Set<string>();
      for await (const uid of steps?.from?.() ?? []) listed.add(uid);
      for (const one of [...stored.values()].filter(({ ref }) => !listed.has(ref.uid))) {
        yield viewOf(one);
        listed.add(one.ref.uid);
        atMoment("after list");
        if (steps?.isDue() !== true || listed.size === stored.size) continue;
        steps.onInterrupted(listed);
        return;
      }
    },
    readNamed: ({ cluster = null, kind, namespace, name }) =>
      guarded(atMoment, "readNamed", () => {
        if (cluster !== null) throw new Forbidden(`cluster ${cluster} is not a peer`);
        const isNamed = ({ ref }: Workload) => ref.kind === kind && ref.namespace === namespace && ref.name === name;
        return [...stored.values()].find(isNamed) ?? null;
      }),
    read: (ref) => guarded(atMoment, "read", () => viewed(ref.uid)),
    change: (workload, whole) => guarded(atMoment, "change", () => change(workload, whole)),
    request: (workload, asked) =>
      guarded(atMoment, "request", () => {
        const ownsRecord = workload.record.resourceVersion === null;
        const object = ownsRecord ? "workload" : "record";
        checkVersion(workload, object, ownsRecord ? workload.resourceVersion : workload.record.resourceVersion);
        const isHandled = workload.lastRequest?.token === asked.token;
        const request = isHandled ? null : asked;
        apply(workload.ref.uid, { to: object, change: {} });
        stored.set(workload.ref.uid, { ...(stored.get(workload.ref.uid) as Workload), request });
      }),
    deleteStuckPods: (_workload, before) =>
      guarded(atMoment, "deleteStuckPods", () => void stuckPodDeletions.push(before)),
    imagesThatRan: ({ ref }) =>
      guarded(atMoment, "imagesThatRan", () =>
        ref.kind === "CronJob"
          ? jobs().flatMap(({ image }) => image ?? [])
          : snapshots.flatMap(({ image }) => image ?? []),
      ),
    listJobs: () => guarded(atMoment, "listJobs", jobs),
    runningDigests: (workload) =>
      guarded(atMoment, "runningDigests", () => (typeof running === "function" ? running(workload) : running)),
    countUnavailablePods: (workload) =>
      guarded(atMoment, "countUnavailablePods", () => ({
        excused,
        failing: failing ?? countFailing(workload, excused),
        crashed,
        evidence: countFailing(workload, excused) > 0 ? evidence : [],
        control,
        pods: observed(),
      })),
    listPods: () => guarded(atMoment, "listPods", () => rolled.rolledPods?.() ?? []),
    evictPod: (_workload, { name }) =>
      guarded(atMoment, "evictPod", () => rolled.evict?.(name) ?? ({ kind: "evicted" } as const)),
    pullSecrets: async () => [],
    readConfig: (_namespace, { salt, references }) =>
      guarded(atMoment, "readConfig", () => {
        const read = Object.fromEntries(references.map(({ id }) => [id, config()[id] ?? absentDigest]));
        const [digest = absentDigest] = Object.values(read);
        return { salt: salt ?? "5a17", digests: read, versions: read, digest, problems: [] };
      }),
    identityProblem: (of) =>
      guarded(atMoment, "identityProblem", () => (of === "approvals" ? approvalProblem() : requestProblem())),
    readOwner: () => guarded(atMoment, "readOwner", () => owner),
    readFreeze: () => guarded(atMoment, "readFreeze", () => ({ kind: "text", text: freeze() }) as const),
    jobProblem: (_workload, { template }) =>
      guarded(atMoment, "jobProblem", () => {
        const job = hooks[template];
        return job?.kind === "missing" ? job.reason : null;
      }),
    startHook: (_workload, spec) =>
      guarded(atMoment, "startHook", () => {
        const job = hooks[spec.template];
        if (job?.kind === "waiting") return { kind: "waiting", reason: job.reason };
        if (!hookJobs.some(({ name }) => name === spec.name)) hookJobs.push(spec);
        if (job?.kind === "missing") return { kind: "refused", reason: job.reason };
        return { kind: "started", uid: `uid-of-${spec.name}` };
      }),
    readHook: (_workload, { name }) =>
      guarded(atMoment, "readHook", () => {
        const created = hookJobs.find((one) => one.name === name);
        const job = hooks[created?.template ?? ""] ?? { kind: "succeeded" };
        return job.kind === "running" ? { ...job, uid: `uid-of-${name}` } : job;
      }),
    stopHook: (_workload, { name }) => guarded(atMoment, "stopHook", () => void stoppedJobs.push(name)),
    readAnalysis: (_workload, name) => guarded(atMoment, "readAnalysis", () => analyses[name] ?? null),
    readSnapshots: (_workload, pins = {}) =>
      guarded(atMoment, "readSnapshots", () =>
        snapshots.map((one) => ({ ...one, template: pinTemplate(one.template, pins) })),
      ),
    emitFreezeEvent: (event) =>
      guarded(atMoment, "emitFreezeEvent", () => {
        const id = ["pawl-freeze", event.reason, event.key].join("\n");
        if (!events.has(id)) events.set(id, event);
      }),
    emitEvent: ({ ref }, event) =>
      guarded(atMoment, "emitEvent", () => {
        const id = [ref.uid, event.reason, event.key].join("\n");
        if (!events.has(id)) events.set(id, event);
      }),
  };
}
