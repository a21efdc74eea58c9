import Table from "cli-table3";
import { functionSpecs } from "../../infra/constructs/functions/function-specs.ts";
import type { FunctionName, Invoked } from "./poll.ts";

export interface Measured {
  readonly workloads: number;
  readonly invocations: readonly Invoked[];
  readonly seconds: number;
  readonly registryRequests: number;
  /** How many requests each repository takes once. */
  readonly neededRequests: number;
  /** Pages of lists, over the whole poll. */
  readonly apiLists: number;
  readonly apiRequests: number;
}

interface Usage {
  readonly count: number;
  readonly cpuSeconds: number;
  readonly maxCpuSeconds: number;
  readonly maxMebibytes: number;
}

const names = ["poll", "poll-batch", "collect-batches"] as const satisfies readonly FunctionName[];

/** AWS: a function has one vCPU at 1,769 MB. https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html */
const megabytesPerCpu = 1769;

/** Of the machine `poll-fanout`. */
const mapConcurrency = 16;

const total = 100_000;

function usageOf({ invocations }: Measured, name: FunctionName): Usage {
  const own = invocations.filter((one) => one.name === name);
  const max = (of: (one: Invoked) => number) => Math.max(0, ...own.map(of));
  return {
    count: own.length,
    cpuSeconds: own.reduce((sum, one) => sum + one.cpuSeconds, 0),
    maxCpuSeconds: max((one) => one.cpuSeconds),
    maxMebibytes: max((one) => one.peakBytes / 1024 / 1024),
  };
}

/** Returns what was measured, and what is calculated from it for 100,000 workloads. */
export function formatReport(measured: readonly Measured[]): string {
  const head = ["workloads", "function", "invocations", "CPU", "CPU of one", "peak memory"];
  const table = new Table({ head, style: { head: [], border: [], compact: true } });
  for (const one of measured) {
    for (const name of names) {
      const { count, cpuSeconds, maxCpuSeconds, maxMebibytes } = usageOf(one, name);
      const usage = [`${cpuSeconds.toFixed(1)} s`, `${maxCpuSeconds.toFixed(1)} s`, `${maxMebibytes.toFixed(0)} MiB`];
      table.push([one.workloads.toLocaleString("en"), name, count, ...usage]);
    }
  }
  const lines = measured.map(
    ({ workloads, seconds, registryRequests, neededRequests, apiLists, apiRequests }) =>
      `${workloads.toLocaleString("en")}: ${seconds.toFixed(0)} s, ${registryRequests} registry requests (${neededRequests} needed), ${apiRequests} API requests, ${apiLists} of them pages of lists`,
  );
  return ["Measured:", table.toString(), ...lines, "", ...calculate(measured)].join("\n");
}

/** Extrapolates the two largest measurements in a straight line. */
function calculate(measured: readonly Measured[]): readonly string[] {
  const [small, large] = measured.slice(-2);
  if (small === undefined || large === undefined) return [];
  const thousands = (large.workloads - small.workloads) / 1000;
  const rest = (total - large.workloads) / 1000;
  const extrapolate = (of: (one: Measured) => number) => {
    const slope = (of(large) - of(small)) / thousands;
    return { slope, value: of(large) + slope * rest };
  };
  const lines = names.map((name) => {
    const cpu = extrapolate((one) => usageOf(one, name).cpuSeconds);
    const memory = extrapolate((one) => usageOf(one, name).maxMebibytes);
    const vcpu = functionSpecs[name].memoryMegabytes / megabytesPerCpu;
    const { count } = usageOf(large, name);
    const seconds = cpu.value / vcpu / Math.min(count, mapConcurrency);
    return `${name}: ${cpu.slope.toFixed(2)} s CPU and ${memory.slope.toFixed(1)} MiB for each 1,000; ${cpu.value.toFixed(0)} s CPU, ${memory.value.toFixed(0)} MiB, ${seconds.toFixed(0)} s with ${vcpu.toFixed(2)} vCPU each, ${Math.min(count, mapConcurrency)} at a time`;
  });
  return [`Calculated for ${total.toLocaleString("en")} workloads:`, ...lines];
}
