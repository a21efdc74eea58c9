import type { PollRest } from "../ports/polls.ts";
import type { Ports } from "../task.ts";
import { pollCluster, type PollOptions } from "./poll-cluster.ts";
import { type PollReport, sumOf } from "./report.ts";

/** Polls in this process what a function would hand on to its next invocation: part after part, until nothing is left. */
export async function pollEveryPart(ports: Omit<Ports, "polls">, options: PollOptions = {}): Promise<PollReport> {
  const rests: PollRest[] = [];
  const polls = { goOn: async (rest: PollRest) => void rests.push(rest) };
  const reports = [await pollCluster({ ...ports, polls }, options)];
  for (const rest of rests) reports.push(await pollCluster({ ...ports, polls }, { ...options, rest }));
  return sumOf(reports);
}
