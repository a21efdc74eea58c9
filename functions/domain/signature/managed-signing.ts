import type { EcrAuthority } from "./authority.ts";

/** What ECR says of the signature of an image by one profile of AWS Signer. */
export interface SigningStatus {
  readonly profile: string;
  readonly status: "IN_PROGRESS" | "COMPLETE" | "FAILED";
  /** Why it failed; empty otherwise. */
  readonly reason: string;
}

/** Returns why ECR has not signed an image by a profile of an authority; null if it has. */
export function managedSigningReason({ profiles }: EcrAuthority, statuses: readonly SigningStatus[]): string | null {
  const own = statuses.filter(({ profile }) => profiles.some((one) => isOfProfile(profile, one)));
  if (own.some(({ status }) => status === "COMPLETE")) return null;
  if (own.some(({ status }) => status === "IN_PROGRESS")) return "ECR has not finished signing it";
  const [failed] = own;
  if (failed !== undefined)
    return `ECR could not sign it by ${failed.profile}: ${failed.reason || "no reason is given"}`;
  const others = statuses.map(({ profile }) => profile).join(", ");
  return others === "" ? "ECR signs it by no profile" : `ECR signs it by ${others} only`;
}

/** A version of a profile has its name after that. */
function isOfProfile(arn: string, profile: string): boolean {
  return arn === profile || arn.startsWith(`${profile}/`);
}
