import { Stack } from "aws-cdk-lib";
import { CfnEventBusPolicy, EventBus, Rule } from "aws-cdk-lib/aws-events";
import { EventBus as BusTarget } from "aws-cdk-lib/aws-events-targets";
import { PolicyDocument, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { trustService } from "../access/service-trust.ts";
import { slashArn } from "../resource-names.ts";
import { ecrPushPattern } from "./ecr-push.ts";

/** An account and a region. */
export interface Place {
  readonly account: string;
  readonly region: string;
}

/** The bus to which AWS sends the events of an account and region: that of the rules of all clusters there. */
const busName = "default";

/** Lets other accounts send their pushes to ECR to the default bus, and nothing else. */
export function receiveEcrEvents(scope: Construct, prefix: string, sources: readonly Place[]): void {
  const { account: own, partition } = Stack.of(scope);
  for (const account of new Set(sources.map((source) => source.account))) {
    if (account === own) continue;
    const statementId = `${prefix}-ecr-${account}`;
    const statement = {
      Sid: statementId,
      Effect: "Allow",
      Principal: { AWS: `arn:${partition}:iam::${account}:root` },
      Action: "events:PutEvents",
      Resource: slashArn(scope, "events", "event-bus", busName),
      Condition: {
        StringEquals: { "events:source": ecrPushPattern.source, "events:detail-type": ecrPushPattern.detailType },
      },
    };
    new CfnEventBusPolicy(scope, `EcrEventsOf${account}`, { eventBusName: busName, statementId, statement });
  }
}

export interface EcrEventsProps extends Place {
  readonly prefix: string;
  /** Where clusters are. Not its own account and region. */
  readonly targets: readonly Place[];
}

/** Sends the pushes to ECR of an account and region to those of clusters. It sends on nothing that it received. */
export class EcrEvents extends Construct {
  constructor(scope: Construct, id: string, { prefix, account, region, targets }: EcrEventsProps) {
    super(scope, id);
    const busArn = (to: Place) =>
      `arn:${Stack.of(this).partition}:events:${to.region}:${to.account}:event-bus/${busName}`;
    const rules = `${prefix}-ecr-to`;
    const send = new PolicyStatement({ sid: "Send", actions: ["events:PutEvents"], resources: targets.map(busArn) });
    const role = new Role(this, "Role", {
      description: "Lets rules send pushes to ECR to the clusters of Pawl",
      assumedBy: trustService(this, "events.amazonaws.com", [slashArn(this, "events", "rule", `${rules}-*`)]),
      inlinePolicies: { pawl: new PolicyDocument({ statements: [send] }) },
    });
    // A rule may have five targets.
    for (const target of targets) {
      const name = `${target.account}-${target.region}`;
      new Rule(this, name, {
        ruleName: `${rules}-${name}`,
        description: `Sends pushes to ECR to the clusters of Pawl in ${target.account}, ${target.region}`,
        eventPattern: { ...ecrPushPattern, account: [account], region: [region] },
        targets: [new BusTarget(EventBus.fromEventBusArn(this, `Bus-${name}`, busArn(target)), { role })],
      });
    }
  }
}
