import { startPawlLocal } from "../../support/pawl-process.ts";
import { isSoak } from "../../support/property-runs.ts";
import type { ClusterHarness } from "../harness.ts";

/** A state of an execution, and the moment in it at which the process is killed. */
interface CrashPoint {
  readonly state: string;
  readonly at: CrashMoment;
}

type CrashMoment = "entered" | "scheduled" | "exited";

const moments = ["entered", "scheduled", "exited"] as const;

const historyEvents = {
  entered: /StateEntered$/,
  scheduled: /^TaskScheduled$|^WaitStateEntered$/,
  exited: /StateExited$/,
} satisfies Record<CrashMoment, RegExp>;

/** Returns each state at its start, in its middle and at its end. */
export function allCrashPoints(states: readonly string[]): CrashPoint[] {
  return states.flatMap((state) => moments.map((at) => ({ state, at })));
}

/** Returns each state at one moment, in turn from `first`; in a soak at all of them. */
export function sampleCrashPoints(states: readonly string[], first: CrashMoment): CrashPoint[] {
  if (isSoak) return allCrashPoints(states);
  const offset = moments.indexOf(first);
  return states.map((state, index) => ({ state, at: moments[(offset + index) % moments.length] ?? first }));
}

/** Kills the process when it reports the crash point. A second process then resumes and runs to the end. */
export async function killAndResume(
  { flags }: Pick<ClusterHarness, "flags">,
  { state, at }: CrashPoint,
): Promise<void> {
  const first = startPawlLocal(flags);
  await first.until(
    `${state} ${at}`,
    (line) => line.kind === "state" && line.state === state && historyEvents[at].test(line.type ?? ""),
  );
  first.kill();
  await first.ended;
  const second = startPawlLocal([...flags, "--exit-when-idle"]);
  await second.succeeds();
}
