import { runContender } from "./contenders/run-contender.ts";
import type { Job, LookupResult } from "./contenders/job.ts";
import { runRenovate } from "./contenders/renovate.ts";
import type { Outcomes } from "./goals.ts";
import type { Measurement } from "./measure-process.ts";
import { assertCorrect, medianOutcome, type Outcome, createOutcome } from "./outcome.ts";
import type { BenchRegistry } from "./registry/start.ts";

interface ComparisonOptions {
  readonly registry: BenchRegistry;
  readonly job: Job;
  /** Number of runs: of Pawl and the bare loop each, and of Renovate. */
  readonly runs: { readonly own: number; readonly renovate: number };
  /** Path of Renovate's program; null to omit it. */
  readonly renovate: string | null;
  readonly log: (line: string) => void;
}

/** Runs the contenders one after another, and verifies each result before it counts. */
export async function runComparison({ registry, job, runs, renovate, log }: ComparisonOptions): Promise<Outcomes> {
  async function runOnce(contender: string, run: () => Promise<Measurement & LookupResult>): Promise<Outcome> {
    await registry.takeCounts();
    const result = await run();
    const outcome = createOutcome(result, await registry.takeCounts());
    assertCorrect(contender, result.found, job);
    log(`${contender}: ${outcome.seconds.toFixed(2)} s, whole process ${outcome.wholeSeconds.toFixed(2)} s`);
    return outcome;
  }

  const bareLoop: Outcome[] = [];
  const pawl: Outcome[] = [];
  const renovateOutcomes: Outcome[] = [];
  // The first run does not count: it warms up the registry.
  await runOnce("warm-up", () => runContender("bare-loop", job));
  for (let round = 0; round < runs.own; round += 1) {
    bareLoop.push(await runOnce("bare loop", () => runContender("bare-loop", job)));
    pawl.push(await runOnce("Pawl", () => runContender("pawl", job)));
  }
  const renovateRuns = renovate === null ? [] : Array.from({ length: runs.renovate }, () => renovate);
  for (const program of renovateRuns) renovateOutcomes.push(await runOnce("Renovate", () => runRenovate(program, job)));
  return {
    bareLoop: medianOutcome(bareLoop),
    pawl: medianOutcome(pawl),
    renovate: renovateOutcomes.length === 0 ? null : medianOutcome(renovateOutcomes),
  };
}
