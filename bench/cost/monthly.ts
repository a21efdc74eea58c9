import { bucketCount, firstBatches } from "../../functions/domain/execution/poll-batches.ts";
import { chunkLines } from "../../functions/workflows/poll/fan-out/work-list-lines.ts";
import { maxWorkloadsInMemory } from "../../functions/workflows/poll/poll-cluster.ts";
import type { UpdateCounts } from "./count.ts";

/** List prices of AWS in US dollars, November 2026, as in docs/explanation/cost.md. Free tiers are not subtracted. */
export const prices = {
  transition: 0.025 / 1000,
  invocation: 0.2 / 1_000_000,
  /** Lambda on Arm. */
  gigabyteSecond: 0.000_013_333_4,
  customMetric: 0.3,
  alarm: 0.1,
  /** One, for all clusters. */
  dashboard: 3,
  key: 1,
  gigabyteOfLogs: 0.5,
  expressExecution: 1 / 1_000_000,
  /** Of the memory of an Express execution. */
  expressGigabyteSecond: 0.000_016_67,
  put: 0.005 / 1000,
  get: 0.0004 / 1000,
  /** Of an interface endpoint in one zone. */
  endpointHour: 0.01,
} as const;

export interface Deployment {
  readonly workloads: number;
  readonly updatesPerMonth: number;
  readonly pollsPerMonth: number;
  readonly metrics: number;
  readonly alarms: number;
}

export interface Cost {
  readonly polls: number;
  readonly updates: number;
  readonly metrics: number;
  readonly alarms: number;
  readonly key: number;
  readonly dashboard: number;
  readonly total: number;
}

const pollGigabytes = 0.5;
const stepGigabytes = 0.25;

/** A step calls the cluster a few times. */
const stepSeconds = 0.3;

/** `bench/poll`: 1,000 images with two requests each took 3.4 s. */
const workloadSeconds = 0.0034;

/** Listing and start. */
const startSeconds = 1;

/** `bench/poll-fanout`: to list 100,000 workloads and write them to a work list would take 114 s. */
const listSeconds = 0.0011;

/** Each poll, and each batch, takes the lease through `record-check`, and renews it every 20 s; one releases it. */
const renewSeconds = 20;

/** https://aws.amazon.com/step-functions/pricing/: the smallest memory of an Express execution. */
const expressGigabytes = 64 / 1024;

/** One line per invocation, of about 500 bytes. */
const gigabytesPerLine = 500 / 1e9;

const line = gigabytesPerLine * prices.gigabyteOfLogs;

function invocationCost(gigabytes: number, seconds: number): number {
  return prices.invocation + gigabytes * seconds * prices.gigabyteSecond + line;
}

const daysPerMonth = 30;
const hoursPerMonth = 730;

/** What a month costs more, in the usual unlucky case: see docs/explanation/cost.md. */
export interface Extras {
  readonly pushes: number;
  readonly parked: number;
  readonly pool: number;
  readonly endpoints: number;
}

/**
 * Computes what is added by a push a day to each repository of ten workloads, updates of 1 % of the workloads that are parked, one pool whose
 * drain is blocked, and five interface endpoints in two zones.
 */
export function monthlyExtras(workloads: number): Extras {
  const seconds = startSeconds + listSeconds * workloads + 10 * workloadSeconds;
  const daySeconds = 86_400;
  // At most one for each 30 seconds, and two at once.
  const pushPolls = Math.min(workloads / 10, daySeconds / 30, (2 * daySeconds) / seconds);
  const round = 6 * prices.transition + 2 * invocationCost(0.5, stepSeconds);
  return {
    pushes: daysPerMonth * pushPolls * invocationCost(pollGigabytes, seconds),
    parked: (workloads / 100) * daysPerMonth * 21 * prices.transition,
    // One round in ten minutes.
    pool: 6 * hoursPerMonth * round,
    endpoints: 5 * 2 * hoursPerMonth * prices.endpointHour,
  };
}

/** Computes the cost of a month. */
export function monthlyCost(deployment: Deployment, { transitions, invocations }: UpdateCounts): Cost {
  const { pollsPerMonth, updatesPerMonth, workloads } = deployment;
  const step = invocationCost(stepGigabytes, stepSeconds);
  /** Of a function that evaluates workloads, with its lease. */
  const polling = (seconds: number) =>
    invocationCost(pollGigabytes, seconds) + (1 + Math.floor(seconds / renewSeconds)) * step;
  const poll =
    workloads <= maxWorkloadsInMemory
      ? polling(startSeconds + workloadSeconds * workloads) + step
      : polling(startSeconds + listSeconds * workloads) + batches(workloads, polling) + 2 * step;
  const parts = {
    polls: pollsPerMonth * poll,
    updates: updatesPerMonth * (transitions * prices.transition + invocations * step),
    metrics: deployment.metrics * prices.customMetric,
    alarms: deployment.alarms * prices.alarm,
    key: prices.key,
    dashboard: prices.dashboard,
  };
  return { ...parts, total: Object.values(parts).reduce((sum, part) => sum + part, 0) };
}

/** Returns the cost of the batches of one poll, without what lists the workloads and what ends it. */
function batches(workloads: number, polling: (seconds: number) => number): number {
  const lines = Array.from({ length: bucketCount }, () => Math.ceil(workloads / bucketCount));
  const chunks = lines.reduce((total, count) => total + Math.ceil(count / chunkLines), 0);
  const count = firstBatches(lines).length;
  const seconds = startSeconds + (workloadSeconds * workloads) / count;
  const express = prices.expressExecution + expressGigabytes * seconds * prices.expressGigabyteSecond;
  // The states of the machine, and the start of each child.
  const transitions = 6 + count;
  return count * (polling(seconds) + express) + transitions * prices.transition + chunks * (prices.put + prices.get);
}
