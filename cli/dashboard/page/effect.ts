import type { Action, Verb } from "../actions.ts";
import type { WorkloadDetail } from "../model.ts";

type Facts = Pick<WorkloadDetail, "update" | "replicas" | "canary" | "failedVersions" | "releases">;

/** Says what an action does to a workload, in numbers of its pods; without facts, to a node pool. */
export function describeEffect({ verb, argument }: Action, facts: Facts | null): string {
  if (facts === null)
    return verb === "pause"
      ? "No further node is cordoned, drained and rebooted. Nodes that hold a slot continue."
      : "Its nodes may be rebooted again, within its windows and its limit.";
  const { update, replicas, canary, failedVersions, releases } = facts;
  const all = replicas === null ? "its pods" : pods(replicas.desired);
  const size = canary === null ? "its pods" : pods(canary.desired);
  const inFlight = canary === null ? update?.what : `canary of ${update?.version}`;
  const ended = update === null ? "" : ` Ends the ${inFlight} without blame.`;
  const restored = update?.previous ?? null;
  const version = releases.find(({ number }) => String(number) === argument)?.version;
  const effects: Readonly<Record<Verb, string>> = {
    pause: "Starts no new update until it is resumed." + (update === null ? "" : ` The ${inFlight} continues.`),
    resume: "The next poll may update it again.",
    promote:
      argument === "full"
        ? `Updates ${all} to ${update?.version}, whatever the analysis says.`
        : `Ends the pause: the canary of ${update?.version} (${size}) goes to its next step.`,
    abort:
      `Ends the ${inFlight}` +
      (restored === null ? ". Nothing is restored." : ` and does not try it again: restores ${restored}.`) +
      (canary === null ? "" : ` Removes ${size} of the canary.`),
    reset: "Closes the circuit, and sets the number of failed attempts to 0. Failed versions stay excluded.",
    retry: `Allows ${failedVersions.join(", ")} again: the next poll may update ${all} to it.`,
    restart: `Restarts ${all} with the image that runs, as its strategy allows, and checks their health.`,
    push: `Updates ${all} to ${argument}, also if it is older or has failed, and checks their health.${ended}`,
    rollback:
      `Restores the pod template of release ${argument}${version === undefined ? "" : `, version ${version}`}` +
      `: restarts ${all}.${ended}`,
  };
  return effects[verb];
}

function pods(count: number): string {
  return count === 1 ? "1 pod" : `${count} pods`;
}
