import type { Verb } from "../../actions.ts";
import type { WorkloadDetail } from "../../model.ts";
import { Actions } from "../actions.tsx";
import { describeEffect } from "../effect.ts";

/** The actions that fit the state of a workload. */
export function WorkloadActions({ detail }: { readonly detail: WorkloadDetail }) {
  const { row, releases, failedVersions, policy, activeState, update } = detail;
  // The word of the state may be that of a problem.
  const isCanary = activeState?.endsWith("Canary") === true;
  const isPaused = policy.some(({ name }) => name === "paused");
  const verbs: readonly Verb[] = [
    isPaused ? "resume" : "pause",
    ...(isCanary ? (["promote", "abort"] as const) : []),
    ...(row.circuit === "open" ? (["reset"] as const) : []),
    ...(failedVersions.length > 0 ? (["retry"] as const) : []),
    ...(update === null ? (["restart"] as const) : []),
    "push",
    ...(releases.length > 1 ? (["rollback"] as const) : []),
  ];
  const previous = releases.find(
    ({ result, hasSnapshot }, index) => index > 0 && result === "Succeeded" && hasSnapshot,
  );
  return (
    <Actions
      verbs={verbs}
      target={row.key}
      effectOf={(action) => describeEffect(action, detail)}
      arguments={{
        push: { label: "Version", offered: row.available ?? row.current ?? "" },
        rollback: { label: "Release", offered: String(previous?.number ?? "") },
      }}
    />
  );
}
