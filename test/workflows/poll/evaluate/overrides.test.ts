import { describe, expect, test } from "vitest";
import { type OverridableGate, type Override } from "../../../../functions/domain/gates/override.ts";
import type { PersonRequest } from "../../../../functions/domain/workload/request/person-request.ts";
import type { Decision } from "../../../../functions/domain/workload/decision/decision.ts";
import type { Verifier } from "../../../../functions/ports/verifier.ts";
import { createEvaluator } from "../../../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { fakePorts } from "../../../support/fake-ports.ts";
import { after, workload, type WorkloadParts } from "../../../support/workloads.ts";
import { idleWorkload } from "../fixtures.ts";

const digest = `sha256:${"a".repeat(64)}`;
const push: PersonRequest = { verb: "push", argument: "1.1.0", token: "t-1", by: "anna" };
const overrideOf = (...gates: readonly OverridableGate[]): Override => ({
  user: "anna",
  gates,
  version: "1.1.0",
  digest,
  token: "t-1",
  at: "2026-11-20T12:00:00Z",
  reason: "incident 7",
});

interface Case {
  readonly parts?: WorkloadParts;
  readonly isSigned?: boolean;
  readonly request?: PersonRequest | null;
  readonly overrides?: readonly Override[];
  readonly problem?: string | null;
  readonly freeze?: string | null;
}

const scopes: Verifier["scopes"] = [{ repositories: ["registry.example/shop"], namespaces: null, mode: "enforce" }];

async function decide({ parts = {}, isSigned = true, ...given }: Case): Promise<Decision> {
  const { request = push, overrides = [], problem = null, freeze = null } = given;
  const ports = fakePorts({
    tags: { "shop/web": ["1.0.0", "1.1.0"] },
    digests: () => [digest],
    requestProblem: () => problem,
    freeze: () => freeze,
  });
  const verified = { kind: "verified", digest, reason: "signed" } as const;
  const unverified = { kind: "unverified", digest, reason: "no valid signature" } as const;
  const verifier: Verifier = { scopes: isSigned ? [] : scopes, verify: async () => (isSigned ? verified : unverified) };
  const web = idleWorkload("web", "registry.example/shop/web:1.0.0", parts);
  return createEvaluator({ ...ports, verifier })({ ...web, record: workload().record, request, overrides });
}

const approval = { policy: { approval: { required: 1, by: ["user:bob"] } } };
const closedWindow = { schedule: "0 0 * * *", durationSeconds: 60 };

describe("a push and the gates", () => {
  /** "passes" a gate in any case; "override": only with an override that names it. */
  test.for<{ gate: string; parts?: WorkloadParts; isSigned?: boolean; freeze?: string; push: "passes" | "override" }>([
    { gate: "suspended", parts: { policy: { paused: true } }, push: "passes" },
    { gate: "schedule", parts: { policy: { schedule: "0 0 * * *" } }, push: "passes" },
    { gate: "windows", parts: { policy: { windows: [closedWindow] } }, push: "passes" },
    { gate: "freeze", freeze: "- reason: incident 7", push: "passes" },
    { gate: "minimumAge", parts: { policy: { minimumReleaseAgeSeconds: 86_400 } }, push: "passes" },
    {
      gate: "after",
      parts: {
        policy: {
          after: [
            { cluster: null, namespace: null, kind: "Deployment", name: "api", soakSeconds: 60, sameDigest: true },
          ],
        },
      },
      push: "passes",
    },
    { gate: "circuit", parts: { updateRecord: { circuitOpen: true } }, push: "passes" },
    { gate: "back-off", parts: { backOff: backOff() }, push: "passes" },
    { gate: "manual-change", parts: { updateRecord: { currentVersion: "1.1.0" } }, push: "passes" },
    { gate: "approval", parts: approval, push: "override" },
    { gate: "signature", isSigned: false, push: "override" },
  ])("$gate: $push", async ({ gate, push: expected, ...given }) => {
    expect((await decide(given)).kind === "update" ? "passes" : "override").toBe(expected);
    if (expected === "passes") return;
    const other = gate === "approval" ? "signature" : "approval";
    expect((await decide({ ...given, overrides: [overrideOf(other)] })).kind).not.toBe("update");
    expect(await decide({ ...given, overrides: [overrideOf(gate as OverridableGate)] })).toMatchObject({
      kind: "update",
      target: { image: "registry.example/shop/web:1.1.0", digest, pinned: true },
    });
  });
});

describe("an override does not count", () => {
  const both = overrideOf("approval", "signature");
  test.for<{ when: string } & Case>([
    { when: "for a person's push of another digest", overrides: [{ ...both, digest: `sha256:${"b".repeat(64)}` }] },
    { when: "for an update that nobody has pushed", request: null, overrides: [both] },
    { when: "for a push of another person", request: { ...push, by: "bob" }, overrides: [both] },
    { when: "if no admission policy proves who wrote it", problem: "not in force", overrides: [both] },
  ])("$when", async ({ when: _when, ...given }) => {
    for (const gate of [{ parts: approval }, { isSigned: false }])
      expect((await decide({ ...gate, ...given })).kind).not.toBe("update");
  });
});

function backOff(): NonNullable<WorkloadParts["backOff"]> {
  const target = { kind: "image", image: "registry.example/shop/web:1.1.0" } as const;
  return { target, attempts: 1, until: after(60), reason: "Refused", message: "no", execution: null };
}
