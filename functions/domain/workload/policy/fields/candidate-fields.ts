import { parseAfter, upstreamName } from "../../../gates/after-policy.ts";
import type { ApprovalPolicy } from "../../../gates/approval.ts";
import { parseApprovalPolicy } from "../../../gates/approval-policy.ts";
import { parseScanPolicy, stricterScan } from "../../../gates/scan-policy.ts";
import { parseCommaList } from "../../../text/comma-list.ts";
import { formatDays, parseDays } from "../../../text/duration.ts";
import { parseStructure } from "../parse-fields.ts";
import type { PolicyField, WrittenField } from "../policy-field.ts";
import type { Policy } from "../../workload.ts";
import { all, longer } from "../stricter.ts";

const maxAgeSeconds = 365 * 86_400;

/** What a version needs before it is applied. */
export const candidateFields = {
  minimumReleaseAge: {
    annotation: "pawl.dev/minimum-release-age",
    path: "minimumReleaseAge",
    type: "string",
    maxLength: 64,
    label: "minimum release age",
    description:
      "How old a version must be: days and a Go duration up to 365d, such as 3d or 36h. The newest version that is old enough is applied. " +
      "Default: any age.",
    parse: ({ text, report }) => parseMinimumAge(text, report),
    stricter: longer,
    format: ({ policy: { minimumReleaseAgeSeconds: seconds } }) => (seconds === undefined ? null : formatDays(seconds)),
  },
  approval: {
    annotation: null,
    path: "approval",
    type: "json",
    maxLength: 8192,
    label: "approval",
    description: "Who must approve a version before it is applied. Default: nobody.",
    parse: ({ value, report }) => {
      const approval = parseApproval(value, report);
      return approval === null ? {} : { approval };
    },
    enforcedAs: "enforcedApprovals",
    format: ({ policy: { approval } }) => (approval === undefined ? null : describeApproval(approval)),
  },
  enforcedApprovals: {
    annotation: null,
    path: null,
    type: "json",
    label: "approval for the deployment",
    description: "",
    parse: ({ value, report }) => parseEnforcedApprovals(value, report),
    format: ({ policy: { enforcedApprovals = [] } }) => enforcedApprovals.map(describeApproval).join(" and ") || null,
  },
  after: {
    annotation: "pawl.dev/after",
    path: "after",
    type: "json",
    maxLength: 4096,
    label: "after",
    description:
      "The workloads, of this cluster or of a peer, in which a version must have been healthy first. Default: none.",
    parse: ({ value, report }) => {
      const after = parseStructure(value, parseAfter, report);
      return after === null ? {} : { after };
    },
    stricter: all,
    format: ({ policy: { after = [] }, ref }) =>
      after.map((rule) => `${formatDays(rule.soakSeconds)} in ${upstreamName(rule, ref)}`).join("; ") || null,
  },
  scan: {
    annotation: "pawl.dev/scan",
    path: "scan",
    type: "json",
    maxLength: 1024,
    label: "scan",
    description:
      "The findings of Amazon ECR that hold a version: maxSeverity, newOnly, timeout and onUnknown. Default: none.",
    parse: ({ value, report }) => {
      const scan = parseStructure(value, parseScanPolicy, report);
      return scan === null ? {} : { scan };
    },
    stricter: stricterScan,
    format: ({ policy: { scan } }) =>
      scan === undefined
        ? null
        : `no ${scan.newOnly ? "new " : ""}finding of ${scan.maxSeverity} or above; ${scan.onUnknown} if unknown`,
  },
  visibleTo: {
    annotation: "pawl.dev/visible-to",
    path: "visibleTo",
    type: "list",
    maxLength: 1024,
    label: "visible to",
    description:
      "The namespaces whose workloads may wait for this one; CLUSTER/NAMESPACE in another cluster. Default: its own.",
    parse: ({ text }) => (text === undefined || text.trim() === "" ? {} : { visibleTo: parseCommaList(text) }),
    format: ({ policy: { visibleTo } }) => visibleTo?.join(", ") ?? null,
  },
} as const satisfies Readonly<Record<string, PolicyField>>;

type Report = WrittenField["report"];

/** Absent if it is 0: any age. */
export function parseMinimumAge(
  text: string | undefined,
  report: Report,
): { readonly minimumReleaseAgeSeconds?: number } {
  if (text === undefined || text.trim() === "") return {};
  const parsed = parseDays(text.trim());
  if (parsed.kind === "invalid") report(parsed.reason);
  else if (parsed.seconds > maxAgeSeconds) report("must be at most 365d");
  else if (parsed.seconds > 0) return { minimumReleaseAgeSeconds: parsed.seconds };
  return {};
}

/** Reports an invalid policy, which counts as none. */
export function parseApproval(value: unknown, report: Report): ApprovalPolicy | null {
  return parseStructure(value, parseApprovalPolicy, report);
}

function parseEnforcedApprovals(value: unknown, report: Report): Pick<Policy, "enforcedApprovals"> {
  if (!Array.isArray(value)) return {};
  const parsed = value.map((one) => parseApproval(one, report)).filter((one) => one !== null);
  return { enforcedApprovals: parsed };
}

function describeApproval({ required, by }: ApprovalPolicy): string {
  return `${required} of ${by.join(", ")}`;
}
