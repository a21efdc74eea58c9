import { type ImageReference, parseImageReference } from "../../functions/domain/image/reference.ts";
import { rulesFor } from "../../functions/domain/signature/rule.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { maxRootDays, oldestRootDate, scopesOf } from "../../infra/config/compile-verify.ts";
import type { VerifyConfig } from "../../infra/config/schema.ts";
import { connectCluster } from "../connect/cluster.ts";
import type { ContextOptions } from "../options/cluster.ts";
import type { DeploymentOptions } from "../options/deployment.ts";
import { listQuietly } from "../workloads/list.ts";
import { type Check, type CheckVerdict, failed, passed } from "./check.ts";

const dayMilliseconds = 86_400_000;

/** Finds rules of signatures that are for no workload, and a trusted root that is old. Files and patterns are checked when the configuration is read. */
export function signaturesCheck(
  options: ContextOptions & DeploymentOptions,
  rules: VerifyConfig,
  now: () => Date,
): Check {
  return {
    name: "signatures",
    async run() {
      if (rules.length === 0) return passed("no image is verified: the configuration has no rules");
      const { cluster } = await connectCluster(options);
      const { workloads } = await listQuietly(cluster);
      return signaturesVerdict(rules, workloads, now());
    },
  };
}

/** Judges rules by the workloads that are enabled. */
export function signaturesVerdict(
  rules: VerifyConfig,
  workloads: readonly Pick<Workload, "ref" | "source" | "image" | "digests">[],
  now: Date,
): CheckVerdict {
  const date = oldestRootDate(rules);
  const days = date === null ? 0 : Math.floor((now.getTime() - Date.parse(date)) / dayMilliseconds);
  if (days > maxRootDays)
    return failed(
      `a trusted root is ${days} days old: signatures in a new log are refused`,
      "download it again, with cosign trusted-root create or gh attestation trusted-root, and set its date: docs/how-to/signatures.md#rules-of-the-deployment",
    );
  const scopes = scopesOf(rules);
  const used = new Set(
    workloads.flatMap(({ ref, source, image, digests }) =>
      [source ?? image ?? "", ...(digests?.containers ?? []).map((one) => one.image)].flatMap((one) => {
        const parsed = parseImageReference(one);
        return "kind" in parsed ? [] : rulesFor(scopes, parsed satisfies ImageReference, ref.namespace);
      }),
    ),
  );
  const unused = scopes.flatMap((scope, index) => (used.has(scope) ? [] : [`verify[${index}]`]));
  if (unused.length === 0) return passed(`each of ${scopes.length} rules is for a workload`);
  return failed(
    `no enabled workload has an image of ${unused.join(", ")}`,
    "correct its repositories and namespaces, or remove it",
  );
}
