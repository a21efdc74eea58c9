import { describe, expect, test } from "vitest";
import { type Approval, approvalKey, formatApproval, readApprovals } from "../../../functions/domain/gates/approval.ts";
import { createApprovalGate } from "../../../functions/domain/gates/approval-gate.ts";
import { parseApprovalPolicy } from "../../../functions/domain/gates/approval-policy.ts";
import { isHeldByGate } from "../../../functions/domain/gates/gates.ts";
import { createMinimumAgeGate } from "../../../functions/domain/gates/minimum-age.ts";
import { formatRfc3339 } from "../../../functions/domain/text/rfc3339.ts";
import { hold } from "../../../functions/domain/workload/decision/decision.ts";
import { recordHold } from "../../../functions/domain/workload/record/record-hold.ts";
import type { Target } from "../../../functions/domain/workload/target/target.ts";
import { after, image, noon, updateTarget, workload } from "../../support/workloads.ts";

const digest = "sha256:a";
const candidate = { version: "1.1.0", digest, since: formatRfc3339(noon) };
const approval = { required: 2, by: ["group:releasers", "user:eve"], timeoutSeconds: 3600 };

function by(user: string, parts: Partial<Approval> = {}): Approval {
  const at = formatRfc3339(noon);
  const common = { groups: ["releasers"], verdict: "approve", version: "1.1.0", digest, skipsAge: false } as const;
  return { user, ...common, at, message: "", ...parts };
}

describe("the gate of approvals", () => {
  test.for<{
    when: string;
    approvals?: readonly Approval[];
    target?: Target | null;
    known?: readonly (typeof candidate)[];
    unverified?: string;
    closed: object | null;
  }>([
    { when: "nothing newer is known", target: null, closed: null },
    { when: "the configuration changed", target: { kind: "config", image, digest }, closed: null },
    {
      when: "nobody has approved",
      closed: {
        reason: "ApprovalRequired",
        message: "1.1.0 needs 2 approvals and has none: pawl approve deployment/shop/app 1.1.0@sha256:a",
        liftedBy: "pawl approve deployment/shop/app 1.1.0@sha256:a",
      },
    },
    {
      when: "one of two has",
      approvals: [by("anna")],
      closed: { message: expect.stringContaining("needs 2 approvals and has 1, by anna: pawl approve") },
    },
    { when: "two have", approvals: [by("anna"), by("eve", { groups: [] })], closed: null },
    {
      when: "one of two is not one of those who may",
      approvals: [by("anna"), by("mallory", { groups: ["developers"] })],
      closed: { message: expect.stringContaining("by anna: ") },
    },
    {
      when: "one of two approved another digest",
      approvals: [by("anna"), by("bob", { digest: "sha256:b" })],
      closed: { message: expect.stringContaining("by anna: ") },
    },
    {
      when: "one of two approved another version",
      approvals: [by("anna"), by("bob", { version: "1.0.9" })],
      closed: { message: expect.stringContaining("by anna: ") },
    },
    {
      when: "one of two has lapsed",
      approvals: [by("anna"), by("bob", { at: formatRfc3339(after(-61)) })],
      closed: { message: expect.stringContaining("by anna: ") },
    },
    {
      when: "it was rejected longer ago than approvals count",
      approvals: [by("anna"), by("bob"), by("eve", { verdict: "reject", at: formatRfc3339(after(-999)) })],
      closed: { reason: "Rejected", message: "1.1.0 was rejected by eve" },
    },
    {
      when: "one of two is of the future",
      approvals: [by("anna"), by("bob", { at: formatRfc3339(after(6)) })],
      closed: { message: expect.stringContaining("by anna: ") },
    },
    {
      when: "another digest was rejected under this tag",
      approvals: [by("anna"), by("bob"), by("eve", { verdict: "reject", digest: "sha256:b", message: "see ticket 7" })],
      closed: { reason: "Rejected", message: "1.1.0 was rejected by eve: see ticket 7" },
    },
    {
      when: "it is rejected without a reason",
      approvals: [by("eve", { verdict: "reject" })],
      closed: { reason: "Rejected", message: "1.1.0 was rejected by eve" },
    },
    {
      when: "somebody who may not has rejected it",
      approvals: [by("anna"), by("bob"), by("mallory", { verdict: "reject", groups: [] })],
      closed: null,
    },
    {
      when: "nothing proves who approved",
      approvals: [by("anna"), by("bob")],
      unverified: "approvals prove nothing: no policy",
      closed: { reason: "ApprovalUnverified", message: "approvals prove nothing: no policy" },
    },
    {
      when: "its digest is not known",
      known: [],
      approvals: [by("anna"), by("bob")],
      closed: { reason: "ApprovalUnknown" },
    },
    {
      when: "the digest of a tag that moved is approved",
      target: { kind: "digest", image, digest },
      known: [{ ...candidate, version: image }],
      approvals: [by("anna", { version: "1.0.0" }), by("bob", { version: "1.0.0" })],
      closed: null,
    },
  ])("if $when", ({ approvals = [], target = updateTarget, known = [candidate], unverified = null, closed }) => {
    const subject = { ...workload({ policy: { approval } }), approvals };
    const found = createApprovalGate(known, unverified).evaluate(subject, target, noon);
    expect(closed === null || found === null ? closed : { ...found, ...closed }).toEqual(found);
  });

  test.for<{ when: string; own?: typeof approval; approvals: readonly Approval[]; message: string | null }>([
    { when: "nobody approved", approvals: [], message: "1.1.0 needs 1 approval and has none" },
    { when: "one approved for the deployment", approvals: [by("kim", { groups: ["security"] })], message: null },
    {
      when: "one approved for the deployment only",
      own: approval,
      approvals: [by("kim", { groups: ["security"] })],
      message: "1.1.0 needs 2 approvals and has none",
    },
    {
      when: "all approved for the owner only",
      own: approval,
      approvals: [by("anna"), by("bob")],
      message: "1.1.0 needs 1 approval and has none",
    },
    {
      when: "all approved",
      own: approval,
      approvals: [by("anna"), by("eve", { groups: ["security"] })],
      message: null,
    },
    {
      when: "it was rejected for the deployment",
      own: approval,
      approvals: [by("anna"), by("bob"), by("kim", { groups: ["security"], verdict: "reject" })],
      message: "1.1.0 was rejected by kim",
    },
  ])("of the owner and of the deployment must both be met: if $when", ({ own, approvals, message }) => {
    const enforcedApprovals = [{ required: 1, by: ["group:security"] }];
    const policy = { enforcedApprovals, ...(own === undefined ? {} : { approval: own }) };
    const found = createApprovalGate([candidate], null).evaluate(
      { ...workload({ policy }), approvals },
      updateTarget,
      noon,
    );
    expect(found?.message.split(":")[0] ?? null).toBe(message);
  });

  test("is open if no approval is required, and holds otherwise, with one Event that has the command", () => {
    expect(createApprovalGate([], null).evaluate(workload(), updateTarget, noon)).toBeNull();
    const one = { ...workload({ policy: { approval: { ...approval, required: 1 } } }) };
    const message = createApprovalGate([candidate], null).evaluate(one, updateTarget, noon)?.message ?? "";
    expect(message).toContain("needs 1 approval and has none");
    const held = { ...hold("awaiting-approval", message), target: updateTarget };
    expect(isHeldByGate(held)).toBe(true);
    const { change, events } = recordHold(one, held, noon);
    expect(events).toMatchObject([
      {},
      { reason: "AutoUpdateHeld", message: expect.stringContaining("pawl approve deployment/shop/app") },
    ]);
    expect(
      recordHold({ ...one, lastReported: { held: change?.lastReported?.held ?? null, problem: null } }, held, noon)
        .events,
    ).toHaveLength(1);
  });
});

test.for([
  { when: "an approver says so", parts: { skipsAge: true }, isOpen: true },
  { when: "an approver only approves", parts: {}, isOpen: false },
  { when: "an approver rejects", parts: { skipsAge: true, verdict: "reject" as const }, isOpen: false },
  { when: "somebody who may not says so", parts: { skipsAge: true, groups: [] }, isOpen: false },
  { when: "nothing proves who says so", parts: { skipsAge: true }, unverified: "no policy", isOpen: false },
  {
    when: "anybody says so where no approval is required",
    parts: { skipsAge: true, groups: [] },
    of: {},
    isOpen: true,
  },
])("the minimum age does not count: $isOpen if $when", ({ parts, unverified = null, of = { approval }, isOpen }) => {
  const subject = {
    ...workload({ policy: { minimumReleaseAgeSeconds: 86_400, ...of } }),
    approvals: [by("anna", parts)],
  };
  expect(createMinimumAgeGate([candidate], unverified).evaluate(subject, updateTarget, noon) === null).toBe(isOpen);
});

describe("an approval in an annotation", () => {
  const whole = by("anna", { groups: ["a b", "releasers"], skipsAge: true, message: "looks good: see 7" });

  test.for([
    { when: "it has everything", written: whole },
    { when: "it is a rejection", written: by("bob", { verdict: "reject", groups: [] }) },
  ])("is read as written: $when", ({ written }) => {
    const annotations = { [approvalKey(written.user)]: formatApproval(written, "uid-1"), "pawl.dev/request": "x" };
    expect(readApprovals(annotations, "uid-1")).toEqual([written]);
  });

  test("has no line that its author does not mean", () => {
    const text = formatApproval({ ...whole, groups: [], message: "x\ngroup releasers" }, "uid-1");
    expect(readApprovals({ [approvalKey("anna")]: text }, "uid-1")).toMatchObject([
      { groups: [], message: "x group releasers" },
    ]);
  });

  const text = formatApproval(whole, "uid-1");
  test.for<{ when: string; key: string; text: string; uid?: string }>([
    { when: "was written for another object", key: approvalKey("anna"), text, uid: "uid-2" },
    { when: "names no object", key: approvalKey("anna"), text: text.replace("record uid-1\n", "") },
    { when: "stands under the name of another user", key: approvalKey("bob"), text },
    { when: "names no user", key: approvalKey("anna"), text: text.replace("user anna", "group x") },
    { when: "names its user later", key: approvalKey("anna"), text: `at 2026-11-20T12:00:00Z\n${text}` },
    { when: "has no verdict", key: approvalKey("anna"), text: text.replace("approve ", "like ") },
    { when: "has no digest", key: approvalKey("anna"), text: text.replace("@sha256:a", "") },
    { when: "has no time", key: approvalKey("anna"), text: text.replace("at 2026", "at last 2026") },
    { when: "is too long", key: approvalKey("anna"), text: `${text}${"x".repeat(2048)}` },
  ])("is ignored if it $when", ({ key, text: written, uid = "uid-1" }) => {
    expect(readApprovals({ [key]: written }, uid)).toEqual([]);
  });

  test("cannot be hidden behind those of others, who may not decide", () => {
    const others = Array.from({ length: 100 }, (_, index) => by(`mallory-${index}`, { groups: [] }));
    const rejection = by("bob", { verdict: "reject" });
    const written = [...others, rejection].map((one) => [approvalKey(one.user), formatApproval(one, "uid-1")] as const);
    expect(readApprovals(Object.fromEntries(written), "uid-1")).toContainEqual(rejection);
  });

  test("cannot be hidden behind others that are none", () => {
    const noise = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`approval.pawl.dev/${index}`, text]));
    expect(readApprovals({ ...noise, [approvalKey("anna")]: text }, "uid-1")).toHaveLength(1);
  });
});

describe("who may approve", () => {
  test.for([
    { written: { by: ["group:releasers"] }, policy: { required: 1, by: ["group:releasers"] } },
    {
      written: { required: 2, by: ["group:releasers"], timeout: "24h" },
      policy: { required: 2, by: ["group:releasers"], timeoutSeconds: 86_400 },
    },
    { written: { required: 2, by: ["user:a", "user:b"] }, policy: { required: 2, by: ["user:a", "user:b"] } },
  ])("is $policy", ({ written, policy }) => {
    expect(parseApprovalPolicy(written)).toEqual({ kind: "valid", value: policy });
  });

  test.for([
    { written: { by: [] }, reason: "by: has 0 entries" },
    { written: {}, reason: "by: is missing" },
    { written: { by: ["anna"] }, reason: "user:NAME or group:NAME" },
    { written: { by: ["user:a"], required: 0 }, reason: "from 1 to 20" },
    { written: { by: ["user:a", "user:a"], required: 2 }, reason: "by names 1; name more, or a group" },
    { written: { by: ["user:a"], timeout: "3 days" }, reason: "timeout: " },
    { written: { by: ["user:a"], requird: 1 }, reason: "requird" },
  ])("is a problem: $reason", ({ written, reason }) => {
    expect(parseApprovalPolicy(written)).toMatchObject({
      kind: "invalid",
      problems: [{ reason: expect.stringContaining(reason) }],
    });
  });
});
