import { versionOf } from "../../functions/domain/image-reference.ts";
import type { Decision, HoldReason } from "../../functions/domain/decision.ts";
import { formatRfc3339 } from "../../functions/domain/time.ts";
import type { InFlight, Workload } from "../../functions/domain/workload.ts";
import type { Polled } from "../../functions/polling/polled.ts";
import { formatWorkloadName } from "./name.ts";
import { runningVersion, versionBefore } from "./versions.ts";

/** One line of a plan, as `--json` prints it. */
export interface PlannedWorkload {
  readonly workload: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly current: string | null;
  readonly candidate: string | null;
  readonly decision: "update" | "restart" | "hold" | "in-flight" | "problem" | "error";
  /** A sentence for people. */
  readonly reason: string;
  /** Why it is held, in a word for machines; null where it is not. */
  readonly hold: HoldReason | null;
}

export function plannedWorkload(polled: Polled): PlannedWorkload {
  const { workload } = polled;
  const { kind, namespace, name } = workload.ref;
  return {
    workload: formatWorkloadName(workload.ref),
    kind,
    namespace,
    name,
    current: workload.inFlight === null ? runningVersion(workload) : versionBefore(workload, workload.inFlight),
    ...("error" in polled ? failed("error", polled.error.message) : decided(polled.decision, workload)),
  };
}

type Outcome = Pick<PlannedWorkload, "candidate" | "decision" | "reason" | "hold">;

function decided(decision: Decision, workload: Workload): Outcome {
  if (decision.kind === "adopt") return { ...goingOn(decision.inFlight), decision: "in-flight", hold: null };
  if (decision.kind === "hold") {
    return { candidate: decision.version, decision: "hold", reason: decision.detail, hold: decision.reason };
  }
  if (decision.kind === "problem") return failed("problem", decision.problems.join("; "));
  const { version: candidate } = decision;
  if (decision.restart) return { candidate, decision: "restart", reason: whyRestart(workload), hold: null };
  return { candidate, decision: "update", reason: whyUpdate(workload), hold: null };
}

function failed(decision: "problem" | "error", reason: string): Outcome {
  return { candidate: null, decision, reason, hold: null };
}

function whyUpdate({ policy }: Workload): string {
  return `the newest version${policy.versionConstraint === null ? "" : ` that satisfies ${policy.versionConstraint}`}`;
}

function whyRestart({ digests }: Workload): string {
  const isKnown = Object.keys(digests?.last ?? {}).length > 0;
  return isKnown ? "another digest stands behind the tag" : "it is followed by digest from now on";
}

function goingOn({ targetImage, startedAt, execution }: InFlight): Pick<Outcome, "candidate" | "reason"> {
  const since = startedAt === "malformed" ? "at a time that cannot be read" : formatRfc3339(startedAt);
  const by = execution === null ? "by hand" : `by execution ${execution}`;
  return { candidate: versionOf(targetImage) || targetImage, reason: `started ${since} ${by}` };
}
