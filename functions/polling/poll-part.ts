import type { Workload } from "../domain/workload.ts";
import type { PollRest } from "../ports/polls.ts";
import type { Ports } from "../task.ts";
import { startActs } from "./acts.ts";
import { askInTurn } from "./ask-in-turn.ts";
import { gauged, type Gauges, noGauges } from "./gauges.ts";
import type { PartEnd } from "./rest.ts";
import { gather } from "./share.ts";
import type { Tally } from "./tally.ts";
import { turnOf } from "./turn-of.ts";
import { takeTurns } from "./turns.ts";

export interface Part {
  readonly rest: PollRest;
  readonly wanted: (workload: Workload) => boolean;
  readonly outOfTime: AbortSignal;
  readonly mostWorkloads: number;
}

export interface PartOutcome extends PartEnd {
  /** Of the whole cluster, whatever the part looked at. */
  readonly gauges: Gauges;
  /** How many are still to have their turn, besides those that were not decided in time. */
  readonly left: number;
}

/** One part of a poll: what is to be looked at now, until it was or time is up. Throws what `gather` throws. */
export async function pollPart(ports: Ports, tally: Tally, part: Part): Promise<PartOutcome> {
  const { rest, wanted, outOfTime, mostWorkloads } = part;
  const gauges = noGauges();
  const listed = only(wanted, gauged(ports.cluster.list(tally.refused), gauges, ports.now));
  const { seated, ...share } = await gather(listed, rest, mostWorkloads, outOfTime);
  const answered = new Set<string>();
  const failing = new Set<string>();
  const acts = startActs(outOfTime);
  const registry = askInTurn(ports.registry, answered, outOfTime);
  const undone = await takeTurns(seated, {
    turn: turnOf({ ...ports, registry }, acts, outOfTime),
    done(polled, host) {
      tally.add(polled);
      if ("error" in polled) failing.add(host);
    },
    outOfTime,
    begunIsDone: () => acts.begunIsDone(),
  });
  return { ...share, gauges, undone, silent: new Set([...failing].filter((host) => !answered.has(host))) };
}

async function* only(wanted: Part["wanted"], workloads: AsyncIterable<Workload>): AsyncGenerator<Workload> {
  for await (const workload of workloads) if (wanted(workload)) yield workload;
}
