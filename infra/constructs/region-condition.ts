import { Aws, CfnCondition, Fn, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";

/** True in a stack that is deployed to the region, and to no other; made once however often it is asked for. */
export function isIn(scope: Construct, region: string): CfnCondition {
  return condition(scope, `In-${region}`, () => Fn.conditionEquals(Aws.REGION, region));
}

export function isNotIn(scope: Construct, region: string): CfnCondition {
  return condition(scope, `NotIn-${region}`, () => Fn.conditionNot(isIn(scope, region)));
}

function condition(scope: Construct, id: string, expression: () => ReturnType<typeof Fn.conditionNot>): CfnCondition {
  const stack = Stack.of(scope);
  const made = stack.node.tryFindChild(id) as CfnCondition | undefined;
  return made ?? new CfnCondition(stack, id, { expression: expression() });
}
