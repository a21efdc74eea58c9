import { Time, useClusterTime } from "./format.tsx";
import type { Polls } from "../model.ts";

interface Props {
  /** Of the cluster; empty on a page of one. */
  readonly name: string;
  readonly polls: Polls | null;
}

/** Says when Pawl polled last and polls next. Nothing if that is not known. */
export function LastPoll({ name, polls }: Props) {
  const now = useClusterTime();
  if (polls === null) return null;
  const { lastAt, by, isRunning, nextAt, overdueAt } = polls;
  const isOverdue = now > Date.parse(overdueAt);
  return (
    <span class={isOverdue ? "polls bad" : "polls note"}>
      {isOverdue ? "⚠ " : ""}
      {name === "" ? "Last poll" : `${name}: last poll`} <Time at={lastAt} />
      {by === null ? null : <span title={by}> by {nameOf(by)}</span>}
      {isOverdue ? ", overdue: pawl doctor says why" : isRunning ? ", which still polls" : null}
      {isOverdue || isRunning || nextAt === null || now > Date.parse(nextAt) ? null : (
        <>
          , next <Time at={nextAt} />
        </>
      )}
    </span>
  );
}

/** Shortens the ARN of a state machine, or `local:HOST:PROCESS`. */
function nameOf(installation: string): string {
  const parts = installation.split(":");
  return parts[0] === "local" ? `pawl local on ${parts[1]}` : (parts.at(-1) ?? installation);
}
