import type { Resource, Synthesised } from "./synthesized-stack.ts";

interface Statement {
  readonly Sid?: string;
  readonly Effect: "Allow" | "Deny";
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** Returns a line for each statement: `Allow events:PutEvents on arn:<AWS::Partition>:events:<AWS::Region>:<AWS::AccountId>:event-bus/pawl`, with `if` if it has a condition. */
export function statementsOf({ render }: Synthesised, role: Resource): readonly string[] {
  return policiesOf(role).map(({ Effect, Action, Resource: on, Condition }) => {
    const resources = [on].flat().map(render).sort().join(", ");
    return `${Effect} ${[Action].flat().sort().join(", ")} on ${resources}${Condition === undefined ? "" : " if"}`;
  });
}

export function policiesOf({ Properties }: Resource): readonly Statement[] {
  const policies = (Properties["Policies"] ?? []) as { readonly PolicyDocument: { readonly Statement: Statement[] } }[];
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}
