import { Annotations, Aws, CfnCondition, CfnOutput, Fn, Stack, Token, type ICfnConditionExpression } from "aws-cdk-lib";
import { CfnAccessEntry } from "aws-cdk-lib/aws-eks";
import type { Role } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { ClusterConfig, EksAccess } from "../../config/schema.ts";
import type { KubernetesGroup } from "../functions/function-spec.ts";
import { rolePath } from "../resource-names.ts";

/** A function's role and the Kubernetes groups that it is mapped to. */
export interface Grantee {
  readonly handler: string;
  readonly role: Role;
  readonly groups: readonly KubernetesGroup[];
}

export interface ClusterAccessProps {
  readonly cluster: ClusterConfig;
  readonly grantees: readonly Grantee[];
}

/**
 * Gives the functions access to the cluster, each as its Kubernetes groups of the RBAC in `infra/cluster/`. An output lists
 * the access that the stack cannot create: in another region or account, or for a cluster outside EKS.
 */
export class ClusterAccess extends Construct {
  constructor(scope: Construct, id: string, { cluster, grantees }: ClusterAccessProps) {
    super(scope, id);
    const { access } = cluster;
    if (access.kind === "kubeconfig") {
      this.#addOutput(`Bind the user of the kubeconfig to ${formatGroups(grantees)}`);
    } else if (access.assumeRoleArn !== null) {
      this.#addOutput(
        `Create an access entry for ${access.assumeRoleArn} with ${formatGroups(grantees)}; its trust policy: ${this.#trustPolicy(cluster, access)}`,
      );
    } else {
      this.#createEntries(access, grantees);
    }
  }

  /** Names the functions' roles by their path: all of them would exceed the 2,048 characters of a trust policy. */
  #trustPolicy(cluster: ClusterConfig, { externalId }: EksAccess): string {
    const { account, partition } = Stack.of(this);
    // `roles.path` may stand before it.
    const roles = `arn:${partition}:iam::${account}:role*${rolePath(this, cluster)}*`;
    const statement = {
      Effect: "Allow",
      Principal: { AWS: `arn:${partition}:iam::${account}:root` },
      Action: "sts:AssumeRole",
      Condition: {
        ArnLike: { "aws:PrincipalArn": roles },
        ...(externalId === null ? {} : { StringEquals: { "sts:ExternalId": externalId } }),
      },
    };
    return JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
  }

  #createEntries(access: EksAccess, grantees: readonly Grantee[]): void {
    const { region } = Stack.of(this);
    if (!Token.isUnresolved(region) && !Token.isUnresolved(access.region) && region !== access.region)
      Annotations.of(this).addWarningV2(
        "pawl:access",
        `cluster ${access.clusterName}: no access entries are created, because the stack is in ${region} and eks.region is ${access.region}; deploy it there, or create those of the output RequiredAccessEntries`,
      );
    for (const { handler, role, groups } of grantees) {
      const entry = new CfnAccessEntry(this, handler, {
        clusterName: access.clusterName,
        principalArn: role.roleArn,
        kubernetesGroups: [...groups],
        type: "STANDARD",
      });
      entry.cfnOptions.condition = isInRegion(this, access.region);
    }
    const entries = grantees.map(({ role, groups }) => `${role.roleArn} as ${groups.join(" and ")}`).join(", ");
    this.#addOutput(
      `Create access entries on ${access.clusterName} in ${access.region} for ${entries}`,
      isNotInRegion(this, access.region),
    );
  }

  #addOutput(value: string, condition?: CfnCondition): void {
    const output = new CfnOutput(this, "RequiredAccessEntries", {
      value,
      description: "The access entries or bindings that the cluster still needs for Pawl",
    });
    if (condition !== undefined) output.condition = condition;
  }
}

function formatGroups(grantees: readonly Grantee[]): string {
  return `the groups ${[...new Set(grantees.flatMap(({ groups }) => groups))].join(", ")}`;
}

/** Returns the condition that is true in a stack of this region. Creates it once per stack. */
function isInRegion(scope: Construct, region: string): CfnCondition {
  return conditionOnce(scope, `In-${idOf(scope, region)}`, () => Fn.conditionEquals(Aws.REGION, region));
}

function isNotInRegion(scope: Construct, region: string): CfnCondition {
  return conditionOnce(scope, `NotIn-${idOf(scope, region)}`, () => Fn.conditionNot(isInRegion(scope, region)));
}

/** A token cannot be part of an id. */
function idOf(scope: Construct, region: string): string {
  return Token.isUnresolved(region) ? JSON.stringify(Stack.of(scope).resolve(region)) : region;
}

function conditionOnce(scope: Construct, id: string, expression: () => ICfnConditionExpression): CfnCondition {
  const stack = Stack.of(scope);
  const existing = stack.node.tryFindChild(id) as CfnCondition | undefined;
  return existing ?? new CfnCondition(stack, id, { expression: expression() });
}
