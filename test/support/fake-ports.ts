import { type MemoryMetrics, memoryMetrics } from "../../functions/adapters/metrics-memory.ts";
import { formatImageReference, type ImageReference } from "../../functions/domain/image-reference.ts";
import type { Workload } from "../../functions/domain/workload.ts";
import type { UpdateEventType } from "../../functions/domain/news.ts";
import type { PoolEventType } from "../../functions/domain/node-pool/news.ts";
import type { UpdateInput } from "../../functions/contract.ts";
import type { PoolInput } from "../../functions/pool-contract.ts";
import { recordHere } from "../../functions/rolling/record-here.ts";
import { checksHere } from "../../functions/polling/checks-here.ts";
import type { PollRest } from "../../functions/ports/polls.ts";
import type { PoolEventDetail, UpdateEventDetail } from "../../functions/ports/events.ts";
import type { Reading } from "../../functions/domain/analysis/reading.ts";
import type { Ports } from "../../functions/task.ts";
import { type AtMoment, type FakeCluster, fakeCluster, type FakePods, guarded, type Moment } from "./fake-cluster.ts";
import { type FakeExecutions, fakeExecutions } from "./fake-executions.ts";
import { type FakeNodePools, fakeNodePools, type FakeNodePoolsOptions } from "./fake-node-pools.ts";
import { noon } from "./workloads.ts";

export interface Published extends UpdateEventDetail {
  readonly type: UpdateEventType;
}

export interface PublishedOfPool extends PoolEventDetail {
  readonly type: PoolEventType;
}

export interface FakePorts extends Ports {
  readonly cluster: FakeCluster;
  readonly executions: FakeExecutions<UpdateInput>;
  readonly nodePools: FakeNodePools;
  readonly poolExecutions: FakeExecutions<PoolInput>;
  readonly metrics: MemoryMetrics;
  /** What the bus was given; a step repeated may publish again. */
  readonly published: readonly Published[];
  readonly publishedOfPools: readonly PublishedOfPool[];
  /** What polls handed on, oldest first. */
  readonly handedOn: PollRest[];
  /** Repositories that were listed, once for each time. */
  readonly listed: readonly string[];
  /** Moves the clock on. */
  pass(seconds: number): void;
}

export interface FakeOptions extends FakePods {
  readonly workloads?: readonly Workload[];
  /** By repository; an Error is thrown. */
  readonly tags?: Readonly<Record<string, readonly string[] | Error>>;
  /** The digest behind an image, and after it those of its index; an Error is thrown. */
  readonly digests?: (image: string) => readonly string[] | Error;
  /** What a Prometheus says to a query now; an Error is thrown. Left out, none is configured. */
  readonly measured?: (query: string) => Reading | Error;
  /** The node pools of the cluster; polls look at them where this is given. */
  readonly nodePools?: Omit<FakeNodePoolsOptions, "now" | "atMoment">;
  /** Called around every call of a port; what it throws, the port throws. */
  readonly atMoment?: AtMoment;
  /** What the clock shows at first. */
  readonly now?: Date;
}

/** Every port in memory, on a clock that moves only when told to. */
export function fakePorts({
  workloads = [],
  tags = {},
  digests = () => new Error("no digest is asked for"),
  measured = () => new Error("no Prometheus is configured"),
  atMoment = () => {},
  now = noon,
  nodePools,
  ...pods
}: FakeOptions): FakePorts {
  const published: Published[] = [];
  const publishedOfPools: PublishedOfPool[] = [];
  const listed: string[] = [];
  const handedOn: PollRest[] = [];
  let time = now.getTime();
  const digestsOf = (image: ImageReference) =>
    guarded(atMoment, "digestOf", () => {
      const found = digests(formatImageReference(image));
      if (found instanceof Error) throw found;
      return found;
    });
  const outside = {
    cluster: fakeCluster(workloads, atMoment, pods),
    events: {
      publish: (type: UpdateEventType, detail: UpdateEventDetail) =>
        guarded(atMoment, "publish", () => void published.push({ type, ...detail })),
      publishPool: (type: PoolEventType, detail: PoolEventDetail) =>
        guarded(atMoment, "publishPool", () => void publishedOfPools.push({ type, ...detail })),
    },
    now: () => new Date(time),
    nodePools: fakeNodePools({ ...nodePools, now: () => new Date(time), atMoment }),
    looksAtNodePools: nodePools !== undefined,
    tagResolutionSeconds: 300,
  };
  return {
    ...outside,
    checks: checksHere(outside),
    poolChecks: recordHere(outside),
    poolExecutions: fakeExecutions(atMoment),
    commands: noCommands,
    executions: fakeExecutions(atMoment),
    metrics: memoryMetrics(),
    metricSource: async () => ({
      query: (query) =>
        guarded(atMoment, "query", () => {
          const reading = measured(query);
          if (reading instanceof Error) throw reading;
          return { ...reading, warnings: [] };
        }),
    }),
    polls: { goOn: (rest) => guarded(atMoment, "goOn", () => void handedOn.push(rest)) },
    published,
    publishedOfPools,
    handedOn,
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
    },
  };
}

/** No node without a daemon is there to be commanded. */
const noCommands: Ports["commands"] = {
  send: () => Promise.reject(new Error("no command is sent")),
  result: () => Promise.reject(new Error("no command was sent")),
};

/** An error as of a Lambda that was killed. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** Kills the Lambda the first time that it comes to `moment`; afterwards everything goes well. */
export function killedAt(moment: Moment): AtMoment {
  return once(moment, () => {
    throw new Killed(moment);
  });
}

/** Does something the first time that a port comes to `moment`. */
export function once(moment: Moment, act: () => void): AtMoment {
  let isDone = false;
  return (now) => {
    if (isDone || now !== moment) return;
    isDone = true;
    act();
  };
}
