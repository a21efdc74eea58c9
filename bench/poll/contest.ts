import { runHere } from "./contenders/here.ts";
import type { Job, Told } from "./contenders/job.ts";
import { runRenovate } from "./contenders/renovate.ts";
import type { Outcomes } from "./goals.ts";
import type { Measured } from "./measured.ts";
import { assertRight, medians, type Outcome, outcomeOf } from "./outcome.ts";
import type { BenchRegistry } from "./registry/start.ts";

interface Contest {
  readonly registry: BenchRegistry;
  readonly job: Job;
  /** Of each contender, and of Renovate. */
  readonly runs: { readonly own: number; readonly renovate: number };
  /** Path of Renovate's program; null leaves it out. */
  readonly renovate: string | null;
  readonly say: (line: string) => void;
}

/** Lets the contenders run one after another, and checks what each found before it counts. */
export async function contest({ registry, job, runs, renovate, say }: Contest): Promise<Outcomes> {
  async function one(contender: string, run: () => Promise<Measured & Told>): Promise<Outcome> {
    await registry.counts();
    const told = await run();
    const outcome = outcomeOf(told, await registry.counts());
    assertRight(contender, told.found, job);
    say(`${contender}: ${outcome.seconds.toFixed(2)} s, whole ${outcome.wholeSeconds.toFixed(2)} s`);
    return outcome;
  }

  const bareLoop: Outcome[] = [];
  const pawl: Outcome[] = [];
  const others: Outcome[] = [];
  // The first does not count: the registry has to get warm, too.
  await one("warming up", () => runHere("bare-loop", job));
  for (let round = 0; round < runs.own; round += 1) {
    bareLoop.push(await one("bare loop", () => runHere("bare-loop", job)));
    pawl.push(await one("Pawl", () => runHere("pawl", job)));
  }
  const renovateRuns = renovate === null ? [] : Array.from({ length: runs.renovate }, () => renovate);
  for (const program of renovateRuns) others.push(await one("Renovate", () => runRenovate(program, job)));
  return { bareLoop: medians(bareLoop), pawl: medians(pawl), renovate: others.length === 0 ? null : medians(others) };
}
