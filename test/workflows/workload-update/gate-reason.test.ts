import { expect, test } from "vitest";
import type { Approval } from "../../../functions/domain/gates/approval.ts";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import { gateReason, startFailure } from "../../../functions/workflows/workload-update/start-update.ts";
import { step } from "../../handlers/steps.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { after, noon, updateTarget, workload, type WorkloadParts } from "../../support/workloads.ts";

const digest = `sha256:${"a".repeat(64)}`;
const target = { ...updateTarget, digest };
const seen = (minutes: number) => ({ version: "1.1.0", digest, since: formatRfc3339(after(minutes)) });
const age: WorkloadParts = { policy: { minimumReleaseAgeSeconds: 3600 } };
const approval: WorkloadParts = { policy: { approval: { required: 1, by: ["user:anna"] } } };
const scan: WorkloadParts = {
  policy: { scan: { maxSeverity: "HIGH", newOnly: true, timeoutSeconds: 3600, onUnknown: "hold" } },
};
const afterStaging: WorkloadParts = {
  policy: {
    after: [{ cluster: null, namespace: null, kind: "Deployment", name: "staging", soakSeconds: 60, sameDigest: true }],
  },
};
const annas: Approval = {
  user: "anna",
  groups: [],
  verdict: "approve",
  version: "1.1.0",
  digest,
  skipsAge: false,
  at: formatRfc3339(noon),
  message: "",
};

test.for([
  { when: "the version is old enough", parts: age, candidates: [seen(-60)], reason: null },
  { when: "the age was raised since", parts: age, candidates: [seen(-59)], reason: "must be" },
  { when: "the record of its age is lost", parts: age, candidates: [], reason: "not known since when" },
  {
    when: "its tag has another digest in the record",
    parts: age,
    candidates: [{ ...seen(-60), digest: "sha256:b" }],
    reason: "not known since when",
  },
  { when: "it is approved", parts: approval, candidates: [seen(0)], approvals: [annas], reason: null },
  { when: "its approval was withdrawn since", parts: approval, candidates: [seen(0)], reason: "needs 1 approval" },
  {
    when: "it was rejected since",
    parts: approval,
    candidates: [seen(0)],
    approvals: [{ ...annas, verdict: "reject" as const }],
    reason: "rejected by anna",
  },
  {
    when: "the admission policy was deleted since",
    parts: approval,
    candidates: [seen(0)],
    approvals: [annas],
    problem: "no policy",
    reason: "no policy",
  },
  {
    when: "its scan has passed",
    parts: scan,
    candidates: [{ ...seen(0), scan: { verdict: "passed" as const, message: "" } }],
    reason: null,
  },
  {
    when: "its scan has findings, as another poll has found since",
    parts: scan,
    candidates: [{ ...seen(0), scan: { verdict: "findings" as const, message: "CVE-1" } }],
    reason: "has found CVE-1",
  },
  { when: "the record of its scan is lost", parts: scan, candidates: [seen(0)], reason: "not known what a scan" },
  {
    when: "a scan was required since",
    parts: scan,
    candidates: [],
    reason: "not known what a scan",
  },
  { when: "its staging was deleted since", parts: afterStaging, candidates: [seen(0)], reason: "does not exist" },
])(
  "what is written after a poll chose it, if $when: $reason",
  async ({ parts, candidates, approvals = [], problem = null, reason }) => {
    const { cluster } = fakePorts({ approvalProblem: () => problem });
    const found = await gateReason(cluster, { ...workload(parts), candidates, approvals }, target, noon);
    expect(found ?? "open").toContain(reason ?? "open");
  },
);

test.for([
  { when: "is approved", approvals: [annas], reason: null },
  { when: "is approved no more", approvals: [], reason: "needs 1 approval" },
])("a pushed version that $when", async ({ approvals, reason }) => {
  const request = { verb: "push", argument: "1.1.0", token: "t" } as const;
  const pushed = { ...workload(approval), request, approvals };
  const claim = { kind: "lost", reason: "no claim" } as const;
  const found = await startFailure(fakePorts({}), pushed, claim, { ...step, target }, [step.strategy]);
  expect(found ?? "open").toContain(reason ?? "open");
});
