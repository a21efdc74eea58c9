import { abbreviateDigests } from "../../functions/domain/image/abbreviate-digests.ts";
import { describeGate } from "../../functions/domain/gates/describe-gate.ts";
import type { AuditEntry } from "../../functions/domain/workload/audit/audit-entry.ts";
import { toSingleLine } from "../../functions/domain/text/printable.ts";
import type { PoolExplanation } from "../node-pools/explain.ts";
import { boundTags } from "../workloads/bound-tags.ts";
import type { Explanation } from "../workloads/explain.ts";
import { rollbacksCell } from "./cells.ts";
import { describeProgress } from "./progress.ts";
import { type Cell, renderTable, type TableStream } from "./table.ts";

const shownTags = 10;
const shownNodes = 20;

type Facts = readonly (readonly [string, string | null])[];

/** Renders the explanation of a workload for people. */
export function explanationText(explanation: Explanation, stream: TableStream): string {
  const { status, policy, nextPoll, nextDue, progress, lastAttempts } = explanation;
  const { state, message: why, held, problems, lastRequest, failedVersions } = status;
  const facts: Facts = [
    ["polls", explanation.lastPoll ?? null],
    ["state", join(state, why)],
    ["in git", status.inFlight?.page ?? null],
    ["runs", status.running ?? "-"],
    ["last healthy", status.current ?? "-"],
    ["newest available", status.available ?? "-"],
    [
      "circuit",
      status.maxRollbacks === null
        ? null
        : `${status.circuit}, ${rollbacksCell(status.rollbacks, status.maxRollbacks)} failed attempts`,
    ],
    ["failed versions", failedVersions.join(", ") || null],
    ["held", held === why ? null : held],
    ...problems.filter((problem) => problem !== why).map((problem) => ["problem", problem] as const),
    ["next poll", withCandidate(nextPoll)],
    ["gates", explanation.waitsFor],
    ...explanation.gates.map((gate) => ["closed gate", describeGate(gate)] as const),
    ["not considered", explanation.notConsidered ?? null],
    ["another owner", explanation.owner],
    ["due next", nextDue],
    // The decision may say it already.
    ["tags", explanation.tagsProblem === nextPoll.message ? null : explanation.tagsProblem],
    ["last request", lastRequest === null ? null : join(lastRequest.verb, lastRequest.result)],
  ];
  const attempts = lastAttempts.map(({ version, status: result, appliedAt, reason }) => [
    version,
    result,
    appliedAt,
    reason ?? "",
  ]);
  return [
    factList(status.workload, facts),
    ...(progress === null ? [] : [`\n${describeProgress(progress)}`]),
    policyTable(policy, stream),
    ...(explanation.tags === null
      ? []
      : [section("Tags", ["TAG", "PASSED OVER BECAUSE IT"], tagRows(explanation), stream)]),
    ...(attempts.length === 0
      ? []
      : [section("Last attempts", ["VERSION", "RESULT", "STARTED", "REASON"], attempts, stream)]),
    ...(explanation.audit.length === 0
      ? []
      : [section("Audit", ["TIME", "WHO", "WHAT", "WHY"], explanation.audit.map(auditRow), stream)]),
  ].join("");
}

function auditRow({ at, by, what, why = "" }: AuditEntry): readonly Cell[] {
  return [at, by, what, why];
}

/** Renders the explanation of a node pool for people. */
export function poolExplanationText(explanation: PoolExplanation, stream: TableStream): string {
  const { status, policy, nextPoll, nextResolution, nextWindow, failedDigests, nodes } = explanation;
  const { state, message, problems, updatedCount, nodeCount } = status;
  const facts: Facts = [
    ["state", join(state, message)],
    ["target", status.target ?? "-"],
    ["all nodes ran", status.deployed ?? "-"],
    ["nodes", `${updatedCount} of ${nodeCount} run the target`],
    ["failed digests", failedDigests.join(", ") || null],
    ...problems.filter((problem) => problem !== message).map((problem) => ["problem", problem] as const),
    ["next poll", withCandidate(nextPoll)],
    ["tag resolved next", nextResolution],
    ["next window", nextWindow],
  ];
  const rows = nodes
    .slice(0, shownNodes)
    .map(({ node, state: of, next, drain }) => [node, of, [next?.what ?? "-", ...drain].join("; ")]);
  const more = nodes.length - rows.length;
  return [
    factList(`bootcnodepool/${status.name}`, facts),
    policyTable(policy, stream),
    ...(rows.length === 0
      ? []
      : [
          section(
            "Nodes that will change",
            ["NODE", "STATE", "NEXT STEP"],
            more > 0 ? [...rows, [`${more} more`]] : rows,
            stream,
          ),
        ]),
  ].join("");
}

function factList(title: string, facts: Facts): string {
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : [`  ${`${name}:`.padEnd(20)}${abbreviateDigests(toSingleLine(value))}\n`],
  );
  return `${title}\n${lines.join("")}`;
}

function policyTable({ from, settings }: Explanation["policy"], stream: TableStream): string {
  const rows = settings.map(({ name, value }) => [name, value]);
  return section(`Policy, from the ${from}`, ["SETTING", "VALUE"], rows, stream);
}

function section(
  title: string,
  headers: readonly string[],
  rows: readonly (readonly Cell[])[],
  stream: TableStream,
): string {
  const columns = headers.map((header, index) =>
    index === headers.length - 1 ? ({ header, narrow: "wrap" } as const) : { header },
  );
  return `\n${title}:\n${renderTable(columns, rows, { stream })}`;
}

function withCandidate({ state, message, candidate }: Explanation["nextPoll"] | PoolExplanation["nextPoll"]): string {
  return `${join(state, message)}${candidate === null ? "" : ` (${candidate})`}`;
}

function join(word: string, sentence: string): string {
  return sentence === "" ? word : `${word}: ${sentence}`;
}

/** The tags that may be selected or that failed, then the highest versions; how many others there are, and why. */
function tagRows({ tags, hiddenTags }: Explanation): readonly (readonly Cell[])[] {
  const { shown, hidden } = boundTags({ shown: tags ?? [], hidden: hiddenTags }, shownTags);
  return [
    ...shown.map(({ tag, reason }) => [tag, reason ?? "- (may be selected)"]),
    ...hidden.map(({ reason, count }) => [`${count} more`, reason]),
  ];
}
