import { CfnOutput, type CfnCondition } from "aws-cdk-lib";
import { CfnAccessEntry } from "aws-cdk-lib/aws-eks";
import type { Role } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { ClusterConfig, EksAccess } from "../config-shape.ts";
import type { KubernetesGroup } from "./functions.ts";
import { isIn, isNotIn } from "./region-condition.ts";

/** A function's role and the Kubernetes group that it is to be. */
export interface Grantee {
  readonly handler: string;
  readonly role: Role;
  readonly group: KubernetesGroup;
}

export interface ClusterAccessProps {
  readonly cluster: ClusterConfig;
  readonly grantees: readonly Grantee[];
}

/**
 * Lets the functions into the cluster, each as the one Kubernetes group that `infra/cluster/` gives its rights to. What
 * the stack cannot make itself (another region, another account, a cluster that is not EKS) it says in an output.
 */
export class ClusterAccess extends Construct {
  constructor(scope: Construct, id: string, { cluster, grantees }: ClusterAccessProps) {
    super(scope, id);
    const { access } = cluster;
    if (access.kind === "kubeconfig") {
      this.#say(`Bind the user of the kubeconfig to ${groupsOf(grantees)}`);
    } else if (access.assumeRoleArn !== null) {
      const roles = grantees.map(({ role }) => role.roleArn).join(", ");
      this.#say(
        `Give ${access.assumeRoleArn} an access entry with ${groupsOf(grantees)}; let it be assumed by ${roles}`,
      );
    } else {
      this.#entries(access, grantees);
    }
  }

  #entries(access: EksAccess, grantees: readonly Grantee[]): void {
    for (const { handler, role, group } of grantees) {
      const entry = new CfnAccessEntry(this, handler, {
        clusterName: access.clusterName,
        principalArn: role.roleArn,
        kubernetesGroups: [group],
        type: "STANDARD",
      });
      entry.cfnOptions.condition = isIn(this, access.region);
    }
    const entries = grantees.map(({ role, group }) => `${role.roleArn} as ${group}`).join(", ");
    this.#say(
      `Make access entries on ${access.clusterName} in ${access.region} for ${entries}`,
      isNotIn(this, access.region),
    );
  }

  #say(value: string, condition?: CfnCondition): void {
    const output = new CfnOutput(this, "ToDo", { value, description: "What the cluster still needs to let Pawl in" });
    if (condition !== undefined) output.condition = condition;
  }
}

function groupsOf(grantees: readonly Grantee[]): string {
  return `the groups ${[...new Set(grantees.map(({ group }) => group))].join(", ")}`;
}
