import { asResolved } from "./resolved.ts";
import { noLimitSettings } from "../../functions/domain/budget/limits.ts";
import type { SentNotes } from "../../functions/domain/execution/sent-notes.ts";
import type { ClusterEventDetail, ClusterEventType } from "../../functions/domain/notification/cluster-event.ts";
import { Conflict } from "../../functions/ports/errors.ts";
import type { GitRepository } from "../../functions/ports/git-repository.ts";
import type { PollLeaseObject } from "../../functions/ports/poll-lease.ts";
import { type MemoryMetrics, createMemoryMetrics } from "../../functions/adapters/memory-metrics.ts";
import { formatImageReference, type ImageReference } from "../../functions/domain/image/reference.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import type { PoolEventType } from "../../functions/domain/node-pool/event/event.ts";
import type { FanOutState } from "../../functions/contract/poll-fanout.ts";
import type { UpdateInput } from "../../functions/contract/workload-update.ts";
import type { PoolInput } from "../../functions/contract/node-pool-rollout.ts";
import { createInProcessPoolCheckRecorder } from "../../functions/workflows/node-pool-rollout/record-status.ts";
import { createInProcessCheckRecorder } from "../../functions/workflows/poll/record/record-check.ts";
import type { PoolEventDetail, UpdateEventDetail } from "../../functions/ports/events.ts";
import type { ScanResult } from "../../functions/domain/gates/scan.ts";
import type { QueryResult } from "../../functions/domain/analysis/query-result.ts";
import type { Ports } from "../../functions/contract/ports.ts";
import { type AtMoment, type FakeCluster, fakeCluster, type FakePods, guarded, type Moment } from "./fake-cluster.ts";
import { type FakeExecutions, fakeExecutions } from "./fakes/fake-executions.ts";
import { type FakeNodePools, fakeNodePools, type FakeNodePoolsOptions } from "./fakes/fake-node-pools.ts";
import { createMemoryWorkList } from "./fakes/memory-work-list.ts";
import { noVerifier } from "../../functions/ports/verifier.ts";
import { noon } from "./workloads.ts";
import type { UpdateEventType } from "../../functions/domain/workload/event/update-event.ts";

export interface PublishedEvent extends UpdateEventDetail {
  readonly type: UpdateEventType;
}

export interface PublishedPoolEvent extends PoolEventDetail {
  readonly type: PoolEventType;
}

export interface PublishedClusterEvent extends ClusterEventDetail {
  readonly type: ClusterEventType;
}

export interface FakePorts extends Ports {
  readonly cluster: FakeCluster;
  readonly executions: FakeExecutions<UpdateInput>;
  readonly nodePools: FakeNodePools;
  readonly poolExecutions: FakeExecutions<PoolInput>;
  readonly metrics: MemoryMetrics;
  /** Events on the bus; a repeated step may publish again. */
  readonly published: readonly PublishedEvent[];
  readonly publishedPoolEvents: readonly PublishedPoolEvent[];
  readonly publishedClusterEvents: readonly PublishedClusterEvent[];
  readonly fanOutExecutions: FakeExecutions<FanOutState>;
  /** Repository of each listing, in order. */
  readonly listed: readonly string[];
  /** Advances the clock. */
  pass(seconds: number): void;
}

export interface FakeOptions extends FakePods {
  readonly workloads?: readonly Workload[];
  /** By repository; an Error is thrown. */
  readonly tags?: Readonly<Record<string, readonly string[] | Error>>;
  /** The digest of an image, followed by those in its index; an Error is thrown. */
  readonly digests?: (image: string) => readonly string[] | Error;
  /** The platforms of the index of an image; it is none if there are none. */
  readonly platforms?: (image: string) => readonly string[];
  /** What a scan of an image has found, with its digest; an Error is thrown. If absent, no registry has scans. */
  readonly scans?: (image: string) => ScanResult | Error;
  /** The answer of Prometheus to a query; an Error is thrown. If absent, no Prometheus is configured. */
  readonly measured?: (query: string) => QueryResult | Error;
  /** The node pools of the cluster; polls evaluate them if present. */
  readonly nodePools?: Omit<FakeNodePoolsOptions, "now" | "atMoment">;
  /** The repositories that name images. */
  readonly git?: readonly GitRepository[];
  /** Called before and after every call of a port; the port throws what it throws. */
  readonly atMoment?: AtMoment;
  /** The initial time. */
  readonly now?: Date;
}

/** Returns all ports in memory, with a clock that only `pass` advances. */
export function fakePorts({
  workloads = [],
  tags = {},
  digests = () => [`sha256:${"0".repeat(64)}`],
  platforms = () => [],
  measured = () => new Error("no Prometheus is configured"),
  atMoment = () => {},
  now = noon,
  nodePools,
  scans,
  git = [],
  ...pods
}: FakeOptions): FakePorts {
  const published: PublishedEvent[] = [];
  const publishedPoolEvents: PublishedPoolEvent[] = [];
  const publishedClusterEvents: PublishedClusterEvent[] = [];
  const listed: string[] = [];
  let time = now.getTime();
  const digestsOf = (image: ImageReference) =>
    guarded(atMoment, "digestOf", () => {
      const found = digests(formatImageReference(image));
      if (found instanceof Error) throw found;
      return found;
    });
  const base = {
    cluster: fakeCluster(workloads, atMoment, pods),
    events: {
      publish: (type: UpdateEventType, detail: UpdateEventDetail) =>
        guarded(atMoment, "publish", () => void published.push({ type, ...detail })),
      publishPool: (type: PoolEventType, detail: PoolEventDetail) =>
        guarded(atMoment, "publishPool", () => void publishedPoolEvents.push({ type, ...detail })),
      publishCluster: (type: ClusterEventType, detail: ClusterEventDetail) =>
        guarded(atMoment, "publishCluster", () => void publishedClusterEvents.push({ type, ...detail })),
    },
    now: () => new Date(time),
    nodePools: fakeNodePools({ ...nodePools, now: () => new Date(time), atMoment }),
    nodePoolsEnabled: nodePools !== undefined,
    tagCacheSeconds: 300,
  };
  let noted: { notes: SentNotes; version: string } = { notes: {}, version: "1" };
  const pollLease: PollLeaseObject = {
    readNotes: () => guarded(atMoment, "readNotes", () => noted),
    writeNotes: (notes, version) =>
      guarded(atMoment, "writeNotes", () => {
        if (version !== noted.version) throw new Conflict("the Lease has changed");
        noted = { notes, version: String(Number(version) + 1) };
      }),
    acquire: () => guarded(atMoment, "acquireLease", () => ({ kind: "held", takenOverFrom: null })),
    release: () => guarded(atMoment, "releaseLease", () => undefined),
  };
  return {
    ...base,
    pollLease,
    ownPollLease: pollLease,
    digests: { targets: [], send: async () => undefined },
    checkRecorder: createInProcessCheckRecorder(base),
    poolCheckRecorder: createInProcessPoolCheckRecorder(base),
    poolExecutions: fakeExecutions(atMoment),
    commands: noCommands,
    executions: fakeExecutions(atMoment, base.now),
    git: async (name) => git.find((one) => one.name === name) ?? null,
    verifier: noVerifier,
    metrics: createMemoryMetrics(),
    metricProvider: async () => ({
      query: (query) =>
        guarded(atMoment, "query", () => {
          const reading = measured(query);
          if (reading instanceof Error) throw reading;
          return { ...reading, at: null, warnings: [] };
        }),
    }),
    notifications: noNotifications,
    notificationTargets: null,
    limits: { ...noLimitSettings, maxConcurrent: 1_000_000 },
    fanOutExecutions: fakeExecutions(atMoment),
    workList: createMemoryWorkList(),
    published,
    publishedPoolEvents,
    publishedClusterEvents,
    listed,
    pass: (seconds) => void (time += seconds * 1000),
    registry: {
      listTags: ({ repository }) =>
        guarded(atMoment, "listTags", () => {
          listed.push(repository);
          const found = tags[repository] ?? [];
          if (found instanceof Error) throw found;
          return found;
        }),
      digestOf: async (image) => (await digestsOf(image))[0] as string,
      digestsOf,
      ...(scans === undefined
        ? {}
        : {
            scanOf: (image) =>
              guarded(atMoment, "scanOf", () => {
                const found = scans(formatImageReference(image));
                if (found instanceof Error) throw found;
                return found;
              }),
          }),
      resolve: async (image) => asResolved(await digestsOf(image), platforms(formatImageReference(image))),
    },
  };
}

/** For clusters whose nodes need no commands. */
const noCommands: Ports["commands"] = {
  send: () => Promise.reject(new Error("no command is sent")),
  result: () => Promise.reject(new Error("no command was sent")),
};

/** No step sends notifications: the bus does. */
const noNotifications: Ports["notifications"] = {
  target: async () => null,
  readSecret: async () => null,
  send: async () => ({ status: null, retryAfterSeconds: null }),
  sleep: async () => {},
  pause: async () => {},
  pausedUntil: async () => null,
};

/** Thrown by a port to simulate a Lambda function that is killed. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** Simulates that the Lambda function is killed when it first reaches `moment`; later calls succeed. */
export function killedAt(moment: Moment): AtMoment {
  return once(moment, () => {
    throw new Killed(moment);
  });
}

/** Runs `action` when a port first reaches `moment`. */
export function once(moment: Moment, action: () => void): AtMoment {
  let isDone = false;
  return (now) => {
    if (isDone || now !== moment) return;
    isDone = true;
    action();
  };
}
