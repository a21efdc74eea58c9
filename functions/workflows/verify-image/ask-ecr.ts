import type { ImageReference } from "../../domain/image/reference.ts";
import { describeAuthority, type Requirement } from "../../domain/signature/authority.ts";
import { managedSigningReason } from "../../domain/signature/managed-signing.ts";
import { signaturePredicate } from "../../domain/signature/statement.ts";
import type { FoundSignature } from "../../domain/signature/verification.ts";
import type { ManagedSigning } from "../../ports/managed-signing.ts";

/** Asks ECR about its own signatures, for each authority that accepts its word. It makes no attestations. */
export async function* askEcr(
  managedSigning: ManagedSigning | undefined,
  image: ImageReference,
  digest: string,
  requirements: readonly Requirement[],
): AsyncGenerator<{ readonly found: FoundSignature; readonly requirement: Requirement }> {
  let answer: Awaited<ReturnType<ManagedSigning>> | null = null;
  for (const requirement of requirements.filter(({ predicateType }) => predicateType === signaturePredicate))
    for (const authority of requirement.any) {
      if (authority.kind !== "ecr") continue;
      answer ??= managedSigning === undefined ? "nobody asks ECR here" : await managedSigning(image, digest);
      const reason = typeof answer === "string" ? answer : managedSigningReason(authority, answer);
      const by = reason === null ? describeAuthority(authority) : null;
      const found = { place: "ecr", format: "managed signing", predicateType: null, authority: by, reason } as const;
      yield { found, requirement };
    }
}
