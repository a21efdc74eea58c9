import { formatRfc3339, parseRfc3339 } from "../../../../domain/text/rfc3339.ts";
import { truncate } from "../../../../domain/text/summarize-list.ts";
import type { HookResult, HookRun, HookStage } from "../../../../domain/workload/hook/hook.ts";
import type { HookStatus } from "./status-fields.ts";

const stages = { pre: "Pre", "pre-promotion": "PrePromotion", post: "Post" } as const satisfies Record<
  HookStage,
  string
>;
const results = { succeeded: "Succeeded", failed: "Failed", unknown: "Unknown" } as const satisfies Record<
  HookResult,
  string
>;

const maxReasonLength = 1024;

/** Returns the hook of an update as a status has it. */
export function toHookStatus({ stage, job, jobUid, startedAt, result, reason }: HookRun): HookStatus {
  return {
    stage: stages[stage],
    job,
    startedAt: formatRfc3339(startedAt),
    ...(jobUid === undefined ? {} : { jobUID: jobUid }),
    ...(result === null ? {} : { result: results[result] }),
    ...(reason === undefined ? {} : { reason: truncate(reason, maxReasonLength) }),
  };
}

/** Reads the hook of an update. One with a field that has no valid value did not end: its Job is found again. */
export function fromHookStatus(status: HookStatus | undefined): { readonly hook?: HookRun } {
  const startedAt = parseRfc3339(status?.startedAt ?? "");
  const stage = keyOf(stages, status?.stage);
  if (status === undefined || startedAt === null || stage === null) return {};
  const { job, jobUID: jobUid, reason } = status;
  const result = keyOf(results, status.result);
  const known = { ...(jobUid === undefined ? {} : { jobUid }), ...(reason === undefined ? {} : { reason }) };
  return { hook: { stage, job, startedAt, result, ...known } };
}

function keyOf<Key extends string>(names: Readonly<Record<Key, string>>, name: string | undefined): Key | null {
  const found = Object.entries(names).find(([, one]) => one === name);
  return found === undefined ? null : (found[0] as Key);
}
