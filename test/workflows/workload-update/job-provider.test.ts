import { expect } from "vitest";
import { awaitJob, startAnalysis } from "../../../functions/domain/analysis/measure.ts";
import type { HookJob } from "../../../functions/domain/workload/hook/hook.ts";
import type { Cluster } from "../../../functions/ports/cluster.ts";
import type { MetricProvider } from "../../../functions/ports/metric-provider.ts";
import { openJobProvider } from "../../../functions/workflows/workload-update/job-provider.ts";
import { clusterAt, startScriptedServer } from "../../adapters/kubernetes/api/scripted-server.ts";
import { type Failure, metricProviderContract } from "../../contracts/metric-provider.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { inFlight, noon, updatingWorkload } from "../../support/workloads.ts";

const claim = { kind: "held", workload: updatingWorkload(), inFlight } as const;
const source = { kind: "job", timeoutSeconds: 60, usesNewImage: false } as const;

/** Asks again until the Job has ended, as the steps of an update do, which record its uid. */
function untilEnded(cluster: Cluster): MetricProvider {
  return {
    async query(job) {
      let state = startAnalysis(noon);
      for (;;) {
        const provider = openJobProvider(
          { cluster, now: () => noon },
          claim,
          { name: "smoke", provider: source },
          state,
        );
        const reading = await provider.query(job);
        if (reading.kind !== "pending") return reading;
        state = awaitJob(state, "smoke", reading.job ?? "none");
      }
    },
  };
}

const jobs: Readonly<Record<string, HookJob>> = {
  good: { kind: "succeeded" },
  bad: { kind: "failed", reason: "BackoffLimitExceeded", log: [] },
  late: { kind: "ended", reason: "DeadlineExceeded", log: [] },
  absent: { kind: "missing", reason: "CronJob shop/absent not found" },
};
const nothing = async () => undefined;
const about = (job: string, reason: string) =>
  expect.stringMatching(new RegExp(`^Job ${job}-[0-9a-f]{12}: ${reason}$`));

metricProviderContract("a Job", {
  cases: {
    readings: [
      { query: "good", reading: { kind: "value", value: 0 } },
      { query: "bad", reading: { kind: "value", value: 1 }, warnings: [about("bad", "BackoffLimitExceeded")] },
      { query: "late", reading: { kind: "none", reason: about("late", "DeadlineExceeded") } },
      { query: "absent", reading: { kind: "none", reason: "CronJob shop/absent not found" } },
    ],
    rejectedQueries: [],
    changingQuery: null,
  },
  start: async () => ({ provider: untilEnded(fakePorts({ hooks: jobs }).cluster), close: nothing }),
  async startFailing(failure: Failure) {
    const codes = { denied: 403, throttled: 429, unavailable: 503 } as const;
    const server = await startScriptedServer(async () =>
      failure === "hangs up" ? "hang up" : { code: codes[failure], body: "{}", headers: {} },
    );
    return { provider: untilEnded(clusterAt(server.url)), close: async () => server[Symbol.asyncDispose]() };
  },
  deniedName: "Forbidden",
});
