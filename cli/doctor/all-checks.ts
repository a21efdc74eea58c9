import { withTimeouts } from "../../functions/adapters/aws/client.ts";
import { reservedConcurrencyOf } from "../../infra/constructs/functions/reserved-concurrency.ts";
import type { ContextOptions } from "../options/cluster.ts";
import type { DeploymentOptions } from "../options/deployment.ts";
import { bootstrapCheck, concurrencyCheck, credentialsCheck } from "./account-checks.ts";
import { calendarsCheck } from "./calendars-check.ts";
import { type Check, unknown } from "./check.ts";
import { clockCheck, observeClock } from "./clock.ts";
import { connectionCheck, manifestsCheck } from "./cluster-checks.ts";
import { eksChecks } from "./eks-checks.ts";
import { environmentCheck, functionReader, functionsCheck } from "./function-checks.ts";
import { alarmsCheck, deadLettersCheck, pollCheck, scheduleCheck } from "./operation-checks.ts";
import { leaseCheck } from "./lease-check.ts";
import { partsOf } from "./manifests.ts";
import { ownersCheck } from "./owners-check.ts";
import { rbacCheck } from "./rbac-check.ts";
import type { DoctorTarget } from "./target.ts";
import { signaturesCheck } from "./signatures-check.ts";
import { variantsCheck } from "./variants-check.ts";

const admissionKinds = ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"];

/**
 * Returns all checks of a target, in the order in which a person would fix what they find. Without a target only those of the cluster: what
 * every cluster needs.
 */
export async function allChecks(
  target: DoctorTarget | null,
  options: ContextOptions & DeploymentOptions,
  now: () => Date,
): Promise<readonly Check[]> {
  const access = target?.cluster.access;
  const cluster = remembered(connectionCheck(options, access?.kind === "eks" ? access.endpoint : null));
  const inCluster = [
    ...appliedChecks(target, options),
    ...(target?.cluster.poll.enabled === false ? [] : [leaseCheck(options, target?.cluster, now)]),
    variantsCheck(options),
    ownersCheck(options, target?.config.git ?? [], now),
    signaturesCheck(options, target?.config.verify ?? [], now),
  ];
  const ofAws = target === null ? [] : await awsChecks(target, now);
  return [...ofAws, cluster, ...afterwards(cluster, inCluster)];
}

/** Returns the checks whose fixes are the steps of an upgrade, in the order in which these are taken. */
export async function upgradeChecks(target: DoctorTarget, options: ContextOptions): Promise<readonly Check[]> {
  const { access } = target.cluster;
  const cluster = remembered(connectionCheck(options, access.kind === "eks" ? access.endpoint : null));
  const { LambdaClient } = await import("@aws-sdk/client-lambda");
  const lambda = new LambdaClient({ ...withTimeouts({ region: target.region }), maxAttempts: 2 });
  return [
    ...appliedChecks(target, options).map(({ name, run }) => ({ name, run: () => unlessFailed(cluster, run) })),
    functionsCheck(functionReader(lambda, target), target),
  ];
}

/** Makes a check if `first` has passed, whose reason not to is otherwise its own: nothing else shows it. */
async function unlessFailed(first: Check, run: Check["run"]): ReturnType<Check["run"]> {
  const { result, detail } = await first.run();
  return result === "passed" ? run() : unknown(detail);
}

/** Custom resources first: what the others allow is about them. */
function appliedChecks(target: DoctorTarget | null, options: ContextOptions): readonly Check[] {
  const parts = target === null ? ["."] : partsOf(target);
  return [
    manifestsCheck("custom resources", ["CustomResourceDefinition"], options, parts),
    rbacCheck(options, parts, target?.cluster.namespaces),
    manifestsCheck("admission policies", admissionKinds, options, parts),
  ];
}

async function awsChecks(target: DoctorTarget, now: () => Date): Promise<readonly Check[]> {
  const { LambdaClient } = await import("@aws-sdk/client-lambda");
  const lambda = new LambdaClient({ ...withTimeouts({ region: target.region }), maxAttempts: 2 });
  const clock = observeClock(lambda, now);
  const functions = functionReader(lambda, target);
  const { access } = target.cluster;
  const credentials = remembered(credentialsCheck(lambda, target.region));
  const rest = [
    bootstrapCheck(target),
    concurrencyCheck(lambda, reservedConcurrencyOf(target.cluster, target.handlers)),
    functionsCheck(functions, target),
    environmentCheck(functions),
    ...(access.kind === "eks" ? eksChecks(access, target.cluster, functions) : []),
    scheduleCheck(target),
    calendarsCheck(target),
    pollCheck(target, now),
    deadLettersCheck(target),
    alarmsCheck(target),
  ];
  return [credentials, ...afterwards(credentials, rest), clockCheck(clock)];
}

/** Makes a check once, for itself and those that depend on it. */
function remembered({ name, run }: Check): Check {
  let verdict: ReturnType<Check["run"]> | null = null;
  return { name, run: () => (verdict ??= run()) };
}

/** Makes checks only if another one has not failed: each would fail for the same reason. */
function afterwards(first: Check, checks: readonly Check[]): readonly Check[] {
  return checks.map(({ name, run }) => ({
    name,
    async run() {
      const { result } = await first.run().catch(() => unknown(""));
      return result === "passed" ? run() : unknown(`not made: the check "${first.name}" has not passed`);
    },
  }));
}
