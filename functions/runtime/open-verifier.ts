import { noVerifier, type Verifier } from "../ports/verifier.ts";
import type { RuleScope, VerifyRule } from "../domain/signature/rule.ts";
import { lazy } from "./lazy.ts";
import { createRecorderClient, type AdapterOptions } from "./open-aws.ts";
import { readRules } from "./read-rules.ts";

/** Opens who verifies images: this process if it has the rules, otherwise the function that has them. Without rules nothing is asked. */
export function openVerifier(cluster: string, options: AdapterOptions): Verifier {
  const { verifyFile, verifyFunction, verifyScopes } = options.settings;
  if (verifyFile !== null) return openOwnVerifier(readRules(verifyFile), options);
  if (verifyFunction === null) return noVerifier;
  const remote = lazy<Pick<Verifier, "verify">>(async () => {
    const { createLambdaVerifier } = await import("../adapters/aws/lambda/verifier.ts");
    const client = await createRecorderClient(verifyFunction, options.aws);
    return createLambdaVerifier({ client, functionName: verifyFunction, cluster });
  });
  const { oldestRoot } = options.settings;
  return {
    ...createVerifier(verifyScopes, (...asked) => remote.verify(...asked)),
    ...(oldestRoot === null ? {} : { oldestRoot }),
  };
}

function openOwnVerifier(rules: readonly VerifyRule[], options: AdapterOptions): Verifier {
  const own = lazy<Pick<Verifier, "verify">>(async () => {
    const { openRegistry } = await import("./open-registry.ts");
    const { openNamespaceLogins } = await import("./registry-logins.ts");
    const { signatures } = await import("../adapters/sigstore/signatures.ts");
    const { verifyTarget } = await import("../workflows/verify-image/verify-target.ts");
    const logins = (await openNamespaceLogins(options)) ?? (async () => []);
    const ecr = rules.some(asksEcr) ? { managedSigning: await openManagedSigning(options) } : {};
    const ports = { artifacts: await openRegistry(options), signatures, rules, logins, ...ecr };
    return { verify: (workload, target) => verifyTarget(ports, workload, target) };
  });
  return createVerifier(rules, (...asked) => own.verify(...asked));
}

function asksEcr({ requirements }: VerifyRule): boolean {
  return requirements.some(({ any }) => any.some(({ kind }) => kind === "ecr"));
}

async function openManagedSigning({ aws }: AdapterOptions) {
  const { createManagedSigning } = await import("../adapters/aws/ecr/managed-signing.ts");
  return createManagedSigning(aws);
}

function createVerifier(scopes: readonly RuleScope[], verify: Verifier["verify"]): Verifier {
  return { scopes, verify };
}
