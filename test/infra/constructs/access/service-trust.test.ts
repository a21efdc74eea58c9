import { expect, test } from "vitest";
import { synthesise } from "../../synthesized-stack.ts";

const { ofType, render } = synthesise();

interface Trust {
  readonly Statement: readonly [
    {
      readonly Principal: { readonly Service: string };
      readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    },
  ];
}

const roles = ofType("AWS::IAM::Role").map(([path, { Properties }]) => {
  const { Statement } = Properties["AssumeRolePolicyDocument"] as Trust;
  const [{ Principal, Condition = {} }, ...others] = Statement;
  return { path, service: Principal.Service, Condition, others };
});

test.for(roles)(
  "$service assumes $path for one resource of this account only",
  ({ path, service, Condition, others }) => {
    expect(others).toEqual([]);
    const isLambda = service === "lambda.amazonaws.com";
    const [account, source] = isLambda ? ["StringEqualsIfExists", "ArnLikeIfExists"] : ["StringEquals", "ArnLike"];
    expect(Condition[account]?.["aws:SourceAccount"]).toEqual({ Ref: "AWS::AccountId" });
    const arns = [Condition[source]?.["aws:SourceArn"]].flat().map(render);
    expect(arns).toEqual(sourcesOf(path, service).flatMap((arn) => arn));
  },
);

test("every service that assumes a role is covered", () => {
  expect([...new Set(roles.map(({ service }) => service))].toSorted()).toEqual([
    "lambda.amazonaws.com",
    "scheduler.amazonaws.com",
    "states.amazonaws.com",
  ]);
});

const here = "<AWS::Region>:<AWS::AccountId>";

function sourcesOf(path: string, service: string): readonly string[] {
  const [cluster = "", ...rest] = path.split("/");
  const handler = cluster === "Notifications" ? rest[0] : `${cluster}-${rest[1]}`;
  if (service === "scheduler.amazonaws.com")
    return ["arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule-group/pawl"];
  const machine = rest[0] === "PollFanOut" ? "poll-fanout" : "workload-update";
  const isMachine = service === "states.amazonaws.com";
  const name = isMachine
    ? `states:${here}:stateMachine:pawl-${cluster}-${machine}`
    : `lambda:${here}:function:pawl-${handler}`;
  return ["", ":*", ...(isMachine ? ["/*"] : [])].map((suffix) => `arn:<AWS::Partition>:${name}${suffix}`);
}
