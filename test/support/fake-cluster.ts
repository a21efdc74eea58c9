import { Conflict } from "../../functions/adapters/errors.ts";
import type { ContainerDigest } from "../../functions/domain/tracking.ts";
import type { Change, Workload } from "../../functions/domain/workload.ts";
import type { Announcement, Cluster } from "../../functions/ports/cluster.ts";
import { written, writesOf } from "./fake-writes.ts";

/** Where a test may throw, or put a person's hand in. "halfway" is between the two writes of a Claw, or of a canary. */
export type Moment = `${"before" | "halfway" | "after"} ${string}`;
export type AtMoment = (moment: Moment) => void;

/** Answers with what `work` gives, and lets a test step in before and after it. */
export async function guarded<T>(atMoment: AtMoment, call: string, work: () => T): Promise<Awaited<T>> {
  atMoment(`before ${call}`);
  const result = await work();
  atMoment(`after ${call}`);
  return result;
}

export interface FakeCluster extends Cluster {
  /** As it stands there now, by uid. Throws where it is gone. */
  get(uid?: string): Workload;
  /** Puts it there as a person would: with a new resourceVersion, whatever stood there before. */
  put(workload: Workload): void;
  remove(uid: string): void;
  /** Events as kubectl would list them: one of each reason and key. */
  events(): readonly Announcement[];
  /** Images whose stuck pods were taken away; null of any. */
  readonly freed: readonly (string | null)[];
}

export interface FakePods {
  /** Images whose pods never become ready. */
  readonly broken?: ReadonlySet<string>;
  /** Named analyses, in every namespace alike. */
  readonly analyses?: Readonly<Record<string, string>>;
  /** What every pod reports. */
  readonly running?: readonly ContainerDigest[];
}

/** Workloads in memory, where pods are what the template says at once, and ready unless their image is in `broken`. */
export function fakeCluster(
  workloads: readonly Workload[],
  atMoment: AtMoment,
  { broken = new Set(), analyses = {}, running = [] }: FakePods = {},
): FakeCluster {
  const stored = new Map(workloads.map((workload) => [workload.ref.uid, workload]));
  const chosenBefore = new Map(workloads.map((workload) => [workload.ref.uid, workload.rollout?.image ?? null]));
  const events = new Map<string, Announcement>();
  const freed: (string | null)[] = [];

  function write(uid: string, change: Change): void {
    const before = stored.get(uid);
    if (before !== undefined) stored.set(uid, written(before, change, chosenBefore.get(uid) ?? null, broken));
  }

  function checkFresh({ ref, resourceVersion }: Workload): void {
    if (stored.get(ref.uid)?.resourceVersion !== resourceVersion) throw new Conflict(`${ref.name} has changed`);
  }

  return {
    name: "production",
    events: () => [...events.values()],
    freed,
    get(uid = "u-1") {
      const found = stored.get(uid);
      if (found === undefined) throw new Error(`${uid} is gone`);
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
        checkFresh(workload);
        for (const [index, part] of writesOf(workload, change).entries()) {
          if (index > 0) atMoment("halfway change");
          write(workload.ref.uid, part);
        }
      }),
    freeStuckPods: (_workload, image) => guarded(atMoment, "freeStuckPods", () => void freed.push(image)),
    runningDigests: () => guarded(atMoment, "runningDigests", () => running),
    pullLogins: async () => [],
    readAnalysis: (_workload, name) => guarded(atMoment, "readAnalysis", () => analyses[name] ?? null),
    announce: ({ ref }, announcement) =>
      guarded(atMoment, "announce", () => {
        const id = [ref.uid, announcement.reason, announcement.key].join("\n");
        if (!events.has(id)) events.set(id, announcement);
      }),
  };
}
