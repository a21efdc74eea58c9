import { Aspects, type IAspect, Stack, Tags } from "aws-cdk-lib";
import { CfnRole } from "aws-cdk-lib/aws-iam";
import type { IConstruct } from "constructs";
import type { SharedConfig } from "../../config/schema.ts";

/** Applies what an account requires of its resources: tags, and the path and the permissions boundary of roles. */
export function applyAccountRules(scope: IConstruct, { tags, roles }: Pick<SharedConfig, "tags" | "roles">): void {
  for (const [key, value] of Object.entries(tags)) Tags.of(scope).add(key, value);
  if (roles.path !== null || roles.permissionsBoundary !== null) Aspects.of(scope).add(createRoleRules(roles));
}

function createRoleRules({ path, permissionsBoundary: name }: SharedConfig["roles"]): IAspect {
  return {
    visit(node) {
      if (!(node instanceof CfnRole)) return;
      // Policies of others name the roles of functions by the path of their cluster.
      if (path !== null) node.path = `${path}${(node.path ?? "/").slice(1)}`;
      const policy = { service: "iam", region: "", resource: "policy" };
      if (name !== null) node.permissionsBoundary = Stack.of(node).formatArn({ ...policy, resourceName: name });
    },
  };
}
