import { startPawlLocal } from "../support/pawl-process.ts";
import type { Lab } from "./lab.ts";

interface Kill {
  readonly state: string;
  readonly at: "entered" | "scheduled" | "exited";
}

const happening = { entered: /StateEntered$/, scheduled: /^TaskScheduled$|^WaitStateEntered$/, exited: /StateExited$/ };

/** Each state at its beginning, in its middle and at its end. */
export function killsOf(states: readonly string[]): Kill[] {
  return states.flatMap((state) => (["entered", "scheduled", "exited"] as const).map((at) => ({ state, at })));
}

/** Kills the process the moment it reports the state, and lets a second one go on to the end. */
export async function killAndResume({ flags }: Pick<Lab, "flags">, { state, at }: Kill): Promise<void> {
  const first = startPawlLocal(flags);
  await first.until(
    `${state} ${at}`,
    (line) => line.kind === "state" && line.state === state && happening[at].test(line.type ?? ""),
  );
  first.kill();
  await first.ended;
  const second = startPawlLocal([...flags, "--exit-when-idle"]);
  await second.succeeds();
}
