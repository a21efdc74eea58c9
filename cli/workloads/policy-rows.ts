import { parseCommaList } from "../../functions/domain/text/comma-list.ts";
import type { PolicyField } from "../../functions/domain/workload/policy/policy-field.ts";
import { policyFields } from "../../functions/domain/workload/policy/policy-table.ts";
import { truncate } from "../../functions/domain/text/summarize-list.ts";
import { textOf, type Written } from "../../functions/domain/workload/policy/raw-policy.ts";
import type { PolicySetting } from "../dashboard/detail-model.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";

export interface PolicyRow {
  readonly name: string;
  readonly value: string;
}

/** Returns the settings of a workload for people; those that are off and off by default, or that its kind lacks, are omitted. */
export function policyRows(workload: Pick<Workload, "policy" | "rawPolicy" | "ref">): readonly PolicySetting[] {
  return policyFields.flatMap(([field, { label, type, format }]) => {
    const written = workload.rawPolicy[field];
    const value = format === undefined ? formatWritten(written, type) : format(workload);
    return value === null ? [] : [{ name: label, value, from: written?.value ? written.place : "default" }];
  });
}

function formatWritten(written: Written | undefined, type: PolicyField["type"]): string | null {
  const text = textOf(written) ?? "";
  if (type === "list") return truncate(parseCommaList(text).join(", ")) || null;
  if (type === "boolean" || type === "presence") return text === "true" ? "yes" : null;
  return truncate(text.trim()) || null;
}

/** Returns where the settings are written. */
export function policySource({ ref, record }: Workload): string {
  if (ref.kind === "Claw") return "spec.autoUpdate of the Claw";
  if (ref.kind === "StatefulCanary") return "spec of the StatefulCanary";
  const isOwners = record.state !== "missing" && !record.isManaged;
  return isOwners ? "spec.policy of the AutoUpdate" : "annotations of the workload";
}
