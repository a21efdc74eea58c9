import { Command } from "commander";
import { type Approval, approvalPolicies } from "../../functions/domain/gates/approval.ts";
import type { Candidate } from "../../functions/domain/gates/candidate.ts";
import type { ApprovalWriter } from "../../functions/adapters/kubernetes/approvals.ts";
import { parseDigest } from "../../functions/domain/node-pool/node/node-state.ts";
import { poolCandidate } from "../../functions/domain/node-pool/pool/gates.ts";
import { computeRequestedImage } from "../../functions/domain/node-pool/pool/target.ts";
import { formatRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import type { Workload } from "../../functions/domain/workload/workload.ts";
import { pauseTargetArgument } from "./pause.ts";
import { connectCluster } from "../connect/cluster.ts";
import { connectNodePools } from "../connect/node-pools.ts";
import { loadKubeConfig } from "../connect/kube-config.ts";
import { InvalidInput, NotFound } from "../exit-codes.ts";
import { findPool } from "../node-pools/find.ts";
import { formatPoolName, parsePoolName } from "../node-pools/name.ts";
import { type ClusterOptions, withClusterOptions } from "../options/cluster.ts";
import { type DeploymentOptions, withDeploymentOption } from "../options/deployment.ts";
import { printJson, printStdout } from "../output/print.ts";
import { findWorkload } from "../workloads/find.ts";
import { formatWorkloadName } from "../workloads/name.ts";
import { parseVersionAndDigest } from "../workloads/requested-version.ts";

interface Options extends ClusterOptions, DeploymentOptions {
  readonly message?: string;
  readonly skipAge?: true;
  readonly json?: true;
}

const descriptions = {
  approve:
    "Approves a version of a workload or a node pool whose policy requires it, under the name that the API server knows you by. It is for one digest, and " +
    "takes the place of what you decided about this workload before. The next poll counts it.",
  reject:
    "Rejects a version of a workload or a node pool whose policy requires approvals, under the name that the API server knows you by: it is not applied, " +
    "whatever others approve, until you approve it or something newer passes.",
};

export function createCommand(verdict: Approval["verdict"]): Command {
  const described = new Command(verdict).description(descriptions[verdict]);
  const command = withDeploymentOption(withClusterOptions(described.argument("<workload>", pauseTargetArgument)))
    .argument("<version>", "a tag, with @DIGEST if it does not wait for a gate")
    .option("--message <text>", "why, for everybody who reads the status")
    .option("--json", "print one JSON document")
    .addHelpText("after", `\nExample:\n  pawl ${verdict} shop/web 1.4.2 --message "see ticket 7"`)
    .action((workload: string, version: string, options: Options) => decide(verdict, workload, version, options));
  return verdict === "approve" ? command.option("--skip-age", "its minimum age does not count either") : command;
}

async function decide(verdict: Approval["verdict"], name: string, written: string, options: Options): Promise<void> {
  const found = await findSubject(name, options);
  const { createApprovalWriter } = await import("../../functions/adapters/kubernetes/approvals.ts");
  const writer = createApprovalWriter(await loadKubeConfig(options));
  const { user, groups } = await writer.whoAmI();
  const by = approvalPolicies(found.policy).flatMap((one) => one.by);
  const approval: Approval = {
    user,
    groups: groups.filter((group) => countingGroup(group, by, options)),
    verdict,
    ...parseVersionAndDigest(written, found),
    skipsAge: options.skipAge === true,
    at: formatRfc3339(new Date()),
    message: options.message ?? "",
  };
  if (by.length > 0 && approval.groups.length === 0 && !by.includes(`user:${user}`))
    throw new InvalidInput(
      `${found.title}: ${user} may not approve; these may: ${by.join(", ")}${options.config === undefined ? ", and who the deployment names: use -c pawl.json" : ""}`,
    );
  await found.write(writer, approval);
  if (options.json) printJson(approval);
  else
    printStdout(
      `${found.title}: ${verdict === "approve" ? "approved" : "rejected"} ${approval.version}@${approval.digest} as ${user}\n`,
    );
}

/** What a person decides about. */
interface Subject {
  readonly title: string;
  readonly policy: Pick<Workload["policy"], "approval" | "enforcedApprovals">;
  readonly candidates?: readonly Candidate[];
  readonly write: (writer: ApprovalWriter, approval: Approval) => Promise<void>;
}

async function findSubject(name: string, options: Options): Promise<Subject> {
  const poolName = parsePoolName(name);
  if (poolName !== null) {
    const pool = findPool(poolName, await (await connectNodePools(options)).list());
    const image = computeRequestedImage(pool);
    const digest = parseDigest(image ?? "");
    return {
      title: formatPoolName(pool),
      policy: pool.spec.gatePolicy,
      candidates: digest === null ? [] : [poolCandidate(pool, digest)],
      write: (writer, approval) => writer.writeToPool(pool, approval),
    };
  }
  const workload = await findWorkload(await connectCluster(options), name);
  const title = formatWorkloadName(workload.ref);
  const missing = missingReason(workload);
  if (missing !== null) throw new NotFound(`${title}: ${missing}`);
  return { ...workload, title, write: (writer, approval) => writer.write(workload.ref, approval) };
}

/** Without the configuration it is not known which groups the deployment names: then all count that are no part of Kubernetes. */
function countingGroup(group: string, by: readonly string[], { config }: Options): boolean {
  return by.includes(`group:${group}`) || (by.length === 0 && config === undefined && !group.startsWith("system:"));
}

function missingReason({ record }: Workload): string | null {
  if (record.state === "missing")
    return "it has no AutoUpdate yet; the next poll creates it, so run this command again after that";
  return record.state === "unavailable" || record.resourceVersion === null
    ? "approvals need an AutoUpdate, and it has none"
    : null;
}
