import { describe, expect, test } from "vitest";
import { addApprovals } from "../../../../functions/domain/workload/audit/audit-approvals.ts";
import { auditAnswer, auditEvent, recentAuditEvents } from "../../../../functions/domain/workload/audit/audit.ts";
import {
  appendAudit,
  type AuditEntry,
  describeAudit,
  maxAuditEntries,
} from "../../../../functions/domain/workload/audit/audit-entry.ts";
import type { Approval } from "../../../../functions/domain/gates/approval.ts";
import { formatRfc3339 } from "../../../../functions/domain/text/rfc3339.ts";
import type { PersonRequest } from "../../../../functions/domain/workload/request/person-request.ts";
import { planCheckRecord } from "../../../../functions/domain/workload/record/record-check.ts";
import { hold } from "../../../../functions/domain/workload/decision/decision.ts";
import { after, noon, workload } from "../../../support/workloads.ts";

const digest = `sha256:${"a".repeat(64)}`;
const request: PersonRequest = { verb: "push", argument: "1.1.0", token: "t-1", by: "anna", reason: "incident 7" };
const answer = { token: "t-1", verb: "push", result: "update to 1.1.0 is requested" };
const entry: AuditEntry = {
  id: "t-1",
  at: "2026-11-20T12:00:00Z",
  by: "anna",
  what: "push 1.1.0",
  why: "incident 7",
  result: "update to 1.1.0 is requested",
};

describe("the entry of a request", () => {
  test("has who, what, why and how it ended", () => {
    expect(auditAnswer({ ...workload(), request }, { answer }, noon)).toEqual(entry);
  });

  test("names the gates that it overrides", () => {
    const common = { user: "anna", version: "1.1.0", digest, token: "t-1", at: "", reason: "x" };
    const overrides = [{ ...common, gates: ["approval", "signature"] as const }];
    const found = auditAnswer({ ...workload(), request, overrides }, { answer }, noon);
    expect(found?.what).toBe("push 1.1.0, overriding approval and signature");
  });

  test("says unknown if nobody is named, and bounds what is long", () => {
    const { by: _by, ...unnamed } = request;
    const found = auditAnswer({ ...workload(), request: { ...unnamed, reason: "y".repeat(500) } }, { answer }, noon);
    expect(found?.by).toBe("unknown");
    expect(found?.why).toHaveLength(256);
  });

  test("has no reason if the person gave none", () => {
    const { reason: _reason, ...silent } = request;
    expect(auditAnswer({ ...workload(), request: silent }, { answer }, noon)).not.toHaveProperty("why");
  });

  test.for<[string, PersonRequest | null, Parameters<typeof auditAnswer>[1]]>([
    ["without an answer", request, {}],
    ["of a refusal", request, { answer: { ...answer, result: "refused: no" } }],
    ["of an answer to another request", request, { answer: { ...answer, token: "t-0" } }],
    ["of an answer to a request that no longer exists", null, { answer }],
  ])("is absent %s", ([, asked, change]) => {
    expect(auditAnswer({ ...workload(), request: asked }, change, noon)).toBeNull();
  });
});

test("each entry is recorded once, and the newest 20", () => {
  expect(appendAudit([entry], [{ ...entry, by: "unknown" }])).toEqual([{ ...entry, by: "unknown" }]);
  const many = Array.from({ length: 30 }, (_, index) => ({ ...entry, id: `t-${index}` }));
  expect(appendAudit(many.slice(0, 20), many.slice(20)).map(({ id }) => id)).toEqual(
    many.slice(-maxAuditEntries).map(({ id }) => id),
  );
});

test.for<[Partial<AuditEntry>, string]>([[{}, "anna: push 1.1.0: incident 7 (update to 1.1.0 is requested)"]])(
  "an entry is a sentence",
  ([parts, text]) => {
    expect(describeAudit({ ...entry, ...parts })).toBe(text);
    const { why: _why, result: _result, ...short } = entry;
    expect(describeAudit(short)).toBe("anna: push 1.1.0");
    expect(describeAudit({ ...short, by: "unknown" })).toBe("push 1.1.0");
  },
);

describe("events", () => {
  test("have the entry, and the version of the request", () => {
    expect(auditEvent({ request }, entry)).toMatchObject({
      event: "Person Acted",
      key: "t-1",
      version: "1.1.0",
      audit: entry,
    });
    expect(auditEvent({ request: null }, entry)).toMatchObject({ version: null });
  });

  test.for<[string, string, number]>([
    ["of a minute ago are written again", formatRfc3339(after(-1)), 1],
    ["of an hour ago are not", formatRfc3339(after(-60)), 0],
    ["without a time are not", "x", 0],
  ])("%s", ([, at, count]) => {
    expect(recentAuditEvents({ ...workload(), audit: [{ ...entry, at }] }, noon)).toHaveLength(count);
  });
});

describe("approvals", () => {
  const approval: Approval = {
    user: "anna",
    groups: [],
    verdict: "approve",
    version: "1.1.0",
    digest,
    skipsAge: false,
    at: "2026-11-20T11:00:00Z",
    message: "",
  };
  const found = (approvals: readonly Approval[], known?: readonly string[]) =>
    addApprovals({ ...workload(), approvals, ...(known === undefined ? {} : { auditedApprovals: known }) }, null, noon);

  test("have an entry each, once", () => {
    const rejection: Approval = { ...approval, user: "bob", verdict: "reject", skipsAge: true, message: "no" };
    const first = found([approval, rejection]);
    expect(first?.audit).toMatchObject([
      { by: "anna", what: "approve 1.1.0@sha256:aaaaaaaaaaaa", at: "2026-11-20T12:00:00Z" },
      { by: "bob", what: "reject 1.1.0@sha256:aaaaaaaaaaaa, whatever its age", why: "no" },
    ]);
    expect(found([rejection, approval], first?.auditedApprovals)).toBeNull();
  });

  test("have another one if the same person decides again", () => {
    const known = found([approval])?.auditedApprovals;
    expect(found([{ ...approval, at: "2026-11-20T11:30:00Z" }], known)?.audit).toHaveLength(1);
  });

  test("are forgotten once they are removed, without an entry", () => {
    const known = found([approval])?.auditedApprovals;
    expect(found([], known)).toEqual({ auditedApprovals: [] });
    expect(addApprovals(workload(), null, noon)).toBeNull();
  });

  test("add nothing to a record that is deleted", () => {
    const change = { deleteRecord: true } as const;
    expect(addApprovals({ ...workload(), approvals: [approval] }, change, noon)).toBe(change);
  });

  test("are recorded by a poll, whatever it decides", () => {
    const approved = { ...workload(), approvals: [approval] };
    expect(planCheckRecord(approved, hold("no-newer-version", "1.0.0 is the newest"), noon).change?.audit).toHaveLength(
      1,
    );
    const asked = { ...approved, request };
    const decision = { kind: "request", verb: "retry", argument: null, token: "t-1" } as const;
    expect(planCheckRecord(asked, decision, noon).change?.audit).toHaveLength(1);
  });
});
