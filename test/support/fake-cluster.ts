import { Conflict } from "../../functions/ports/errors.ts";
import type { ContainerDigest } from "../../functions/domain/workload/digest/tracking.ts";
import type { Change, Workload } from "../../functions/domain/workload/workload.ts";
import { parseRequest } from "../../functions/domain/workload/person-request.ts";
import type { KubernetesEvent, Cluster } from "../../functions/ports/cluster.ts";
import { applyWrite, splitWrites } from "./fake-writes.ts";

/** Where a test may throw or make a manual change. "halfway" is between the two writes of a Claw or of a canary. */
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
  /** Replaces a workload like a manual change, with a new resourceVersion. */
  put(workload: Workload): void;
  remove(uid: string): void;
  /** Events as kubectl lists them: one for each reason and key. */
  events(): readonly KubernetesEvent[];
  /** Images whose stuck pods were deleted; null means any image. */
  readonly deletedPodImages: readonly (string | null)[];
}

export interface FakePods {
  /** Images whose pods never become ready. */
  readonly broken?: ReadonlySet<string>;
  /** Analyses by name, the same in every namespace. */
  readonly analyses?: Readonly<Record<string, string>>;
  /** What every pod reports. */
  readonly running?: readonly ContainerDigest[];
}

/** Returns workloads in memory. Their pods match the template at once, and are ready unless their image is in `broken`. */
export function fakeCluster(
  workloads: readonly Workload[],
  atMoment: AtMoment,
  { broken = new Set(), analyses = {}, running = [] }: FakePods = {},
): FakeCluster {
  const stored = new Map(workloads.map((workload) => [workload.ref.uid, workload]));
  const initialImages = new Map(workloads.map((workload) => [workload.ref.uid, workload.rollout?.image ?? null]));
  const events = new Map<string, KubernetesEvent>();
  const deletedPodImages: (string | null)[] = [];

  function write(uid: string, change: Change): void {
    const current = stored.get(uid);
    if (current !== undefined) stored.set(uid, applyWrite(current, change, initialImages.get(uid) ?? null, broken));
  }

  function checkResourceVersion({ ref, resourceVersion }: Workload): void {
    if (stored.get(ref.uid)?.resourceVersion !== resourceVersion) throw new Conflict(`${ref.name} has changed`);
  }

  return {
    name: "production",
    events: () => [...events.values()],
    deletedPodImages,
    get(uid = "u-1") {
      const found = stored.get(uid);
      if (found === undefined) throw new Error(`${uid} was deleted`);
      return found;
    },
    put(workload) {
      const last = stored.get(workload.ref.uid)?.resourceVersion ?? workload.resourceVersion;
      stored.set(workload.ref.uid, { ...workload, resourceVersion: String(Number(last) + 1) });
    },
    remove: (uid) => void stored.delete(uid),
    async *list() {
      atMoment("before list");
      yield* stored.values();
    },
    read: (ref) => guarded(atMoment, "read", () => stored.get(ref.uid) ?? null),
    change: (workload, change) =>
      guarded(atMoment, "change", () => {
        checkResourceVersion(workload);
        for (const [index, part] of splitWrites(workload, change).entries()) {
          if (index > 0) atMoment("halfway change");
          write(workload.ref.uid, part);
        }
      }),
    request: (workload, text) =>
      guarded(atMoment, "request", () => {
        checkResourceVersion(workload);
        const request = parseRequest(text, workload.lastRequest?.token);
        write(workload.ref.uid, {});
        stored.set(workload.ref.uid, { ...(stored.get(workload.ref.uid) as Workload), request });
      }),
    deleteStuckPods: (_workload, image) =>
      guarded(atMoment, "deleteStuckPods", () => void deletedPodImages.push(image)),
    runningDigests: () => guarded(atMoment, "runningDigests", () => running),
    pullSecrets: async () => [],
    readAnalysis: (_workload, name) => guarded(atMoment, "readAnalysis", () => analyses[name] ?? null),
    emitEvent: ({ ref }, event) =>
      guarded(atMoment, "emitEvent", () => {
        const id = [ref.uid, event.reason, event.key].join("\n");
        if (!events.has(id)) events.set(id, event);
      }),
  };
}
