import { isDeepStrictEqual } from "node:util";
import { type Fact, type Observed, readFact } from "./facts.ts";
import type { StoredWrite } from "./watch-etcd.ts";

/** Everything that was stored about the workloads of one namespace. */
export interface Recording {
  add(write: StoredWrite): void;
  /** What is known of a workload and its objects, in the order of the writes. */
  factsOf(workload: string): readonly Observed[];
  /** The latest fact of each object of a workload that exists, by object. */
  currentOf(workload: string): ReadonlyMap<string, Fact>;
  /** Resolves at the next write of an AutoUpdate. */
  nextRecord(): Promise<void>;
}

export function createRecording(namespace: string, now: () => number = Date.now): Recording {
  const byWorkload = new Map<string, Observed[]>();
  const latest = new Map<string, Observed>();
  let next = Promise.withResolvers<void>();
  return {
    add(write) {
      const read = readFact(write, namespace);
      if (read === null) return;
      const { object, fact } = read;
      const before = latest.get(object);
      const workload = read.workload ?? before?.workload;
      if (workload === undefined || isDeepStrictEqual(before?.fact, fact)) return;
      const observed: Observed = { at: now(), revision: write.revision, object, workload, fact };
      if (fact.kind === "gone") latest.delete(object);
      else latest.set(object, observed);
      const facts = byWorkload.get(workload) ?? [];
      facts.push(observed);
      byWorkload.set(workload, facts);
      if (fact.kind !== "record") return;
      next.resolve();
      next = Promise.withResolvers<void>();
    },
    factsOf: (workload) => byWorkload.get(workload) ?? [],
    currentOf(workload) {
      const own = [...latest.values()].filter((observed) => observed.workload === workload);
      return new Map(own.map(({ object, fact }) => [object, fact]));
    },
    nextRecord: () => next.promise,
  };
}
