import { describe, expect, test } from "vitest";
import { type Approval } from "../../../../functions/domain/gates/approval.ts";
import { formatRfc3339 } from "../../../../functions/domain/text/rfc3339.ts";
import type { Decision } from "../../../../functions/domain/workload/decision/decision.ts";
import { createEvaluator } from "../../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { noon, workload, type WorkloadParts } from "../../../support/workloads.ts";
import { idleWorkload } from "../fixtures.ts";

const digest = `sha256:${"a".repeat(64)}`;
const policy = { approval: { required: 1, by: ["user:anna"] } };

function approvalOf(version: string, parts: Partial<Approval> = {}): Approval {
  const at = formatRfc3339(noon);
  const common = { groups: [], verdict: "approve", digest, skipsAge: false, at, message: "" } as const;
  return { user: "anna", version, ...common, ...parts };
}

async function decide(
  approvals: readonly Approval[],
  parts: WorkloadParts = {},
  problem: string | null = null,
): Promise<Decision> {
  const tags = { "shop/web": ["1.0.0", "1.1.0", "1.2.0"] };
  const ports = fakePorts({ tags, digests: () => [digest], approvalProblem: () => problem });
  const web = idleWorkload("web", "registry.example/shop/web:1.0.0", { policy, ...parts });
  return createEvaluator(ports)({ ...web, record: workload().record, approvals });
}

describe("the newest version that is approved is chosen", () => {
  test.for<{ when: string; approvals: readonly Approval[]; problem?: string; expected: object }>([
    {
      when: "none is",
      approvals: [],
      expected: {
        kind: "hold",
        reason: "awaiting-approval",
        detail: expect.stringContaining(`pawl approve deployment/shop/web 1.2.0@${digest}`),
      },
    },
    {
      when: "an older one is",
      approvals: [approvalOf("1.1.0")],
      expected: {
        kind: "update",
        target: { image: "registry.example/shop/web:1.1.0", digest },
        available: "1.2.0",
        candidates: [{ version: "1.2.0" }, { version: "1.1.0", approvals: [{ user: "anna", verdict: "approve" }] }],
      },
    },
    {
      when: "the newest is",
      approvals: [approvalOf("1.2.0")],
      expected: { kind: "update", target: { image: "registry.example/shop/web:1.2.0" } },
    },
    {
      when: "another digest of it is",
      approvals: [approvalOf("1.2.0", { digest: "sha256:b" })],
      expected: {
        kind: "hold",
        reason: "awaiting-approval",
        gates: [{ name: "approval", reason: "ApprovalRequired" }],
      },
    },
    {
      when: "it is rejected",
      approvals: [approvalOf("1.2.0", { verdict: "reject" })],
      expected: {
        kind: "hold",
        gates: [{ reason: "Rejected" }],
        candidates: [{ approvals: [{ user: "anna", verdict: "reject" }] }],
      },
    },
    {
      when: "nothing proves it",
      approvals: [approvalOf("1.2.0")],
      problem: "no policy",
      expected: { kind: "hold", detail: "no policy", gates: [{ reason: "ApprovalUnverified" }] },
    },
  ])("if $when", async ({ approvals, problem = null, expected }) => {
    expect(await decide(approvals, {}, problem)).toMatchObject(expected);
  });
});

describe("a push of a version", () => {
  const request = { verb: "push", argument: "1.1.0", token: "t" } as const;
  const push = async (approvals: readonly Approval[], own: WorkloadParts = {}) => {
    const tags = { "shop/web": ["1.0.0", "1.1.0"] };
    const ports = fakePorts({ tags, digests: () => [digest] });
    const web = idleWorkload("web", "registry.example/shop/web:1.0.0", { policy, ...own });
    return createEvaluator(ports)({ ...web, record: workload().record, request, approvals });
  };

  test("that nobody approved is refused: a person who may edit an AutoUpdate does not approve by that", async () => {
    expect(await push([])).toMatchObject({
      kind: "request",
      refusal: expect.stringContaining("needs 1 approval and has none"),
    });
  });
});

test("a rejection is shown before all approvals, of which a status has not all", async () => {
  const group = { policy: { approval: { required: 60, by: ["group:team"] } } };
  const members = Array.from({ length: 60 }, (_, index) =>
    approvalOf("1.2.0", { user: `member-${index}`, groups: ["team"] }),
  );
  const rejection = approvalOf("1.2.0", { user: "zoe", groups: ["team"], verdict: "reject" });
  const decision = await decide([...members, rejection], group);
  const [candidate] = (decision.kind === "hold" ? decision.candidates : null) ?? [];
  expect(candidate?.approvals).toHaveLength(50);
  expect(candidate?.approvals?.[0]).toMatchObject({ user: "zoe", verdict: "reject" });
});
