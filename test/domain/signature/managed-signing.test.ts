import { expect, test } from "vitest";
import { describeAuthority } from "../../../functions/domain/signature/authority.ts";
import { managedSigningReason, type SigningStatus } from "../../../functions/domain/signature/managed-signing.ts";

const profile = "arn:aws:signer:eu-west-1:123456789012:/signing-profiles/release";
const authority = { kind: "ecr", profiles: [profile] } as const;
const by = (of: string, status: SigningStatus["status"], reason = ""): SigningStatus => ({
  profile: of,
  status,
  reason,
});

test.for<{ what: string; statuses: readonly SigningStatus[]; reason: string | null }>([
  { what: "complete", statuses: [by(profile, "COMPLETE")], reason: null },
  { what: "complete by a version of the profile", statuses: [by(`${profile}/v1`, "COMPLETE")], reason: null },
  { what: "complete after a failure", statuses: [by(profile, "FAILED", "x"), by(profile, "COMPLETE")], reason: null },
  { what: "in progress", statuses: [by(profile, "IN_PROGRESS")], reason: "ECR has not finished signing it" },
  {
    what: "failed",
    statuses: [by(profile, "FAILED", "AccessDenied")],
    reason: `ECR could not sign it by ${profile}: AccessDenied`,
  },
  {
    what: "failed without a reason",
    statuses: [by(profile, "FAILED")],
    reason: `ECR could not sign it by ${profile}: no reason is given`,
  },
  {
    what: "complete by another profile",
    statuses: [by(`${profile}2`, "COMPLETE")],
    reason: `ECR signs it by ${profile}2 only`,
  },
  { what: "absent", statuses: [], reason: "ECR signs it by no profile" },
])("a signature of ECR that is $what: $reason", ({ statuses, reason }) => {
  expect(managedSigningReason(authority, statuses)).toBe(reason);
});

test("ECR is named by its profiles", () => {
  expect(describeAuthority(authority)).toBe(`ECR managed signing by ${profile}`);
});
