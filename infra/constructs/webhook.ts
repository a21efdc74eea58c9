import { type Duration, SecretValue, Stack } from "aws-cdk-lib";
import {
  ApiDestination,
  Authorization,
  Connection,
  HttpMethod,
  type IApiDestination,
  type IEventBus,
  type IRuleTarget,
} from "aws-cdk-lib/aws-events";
import { ApiDestination as ApiDestinationTarget } from "aws-cdk-lib/aws-events-targets";
import { PolicyDocument, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { WebhookNotification } from "../config/schema.ts";
import { trustService } from "./service-trust.ts";

/** How EventBridge delivers to a target. */
export interface Delivery {
  readonly deadLetterQueue: IQueue;
  readonly maxEventAge: Duration;
  readonly retryAttempts: number;
}

/**
 * A webhook that EventBridge calls with one header. CloudFormation copies the header's value from the secret when the
 * connection changes. The template contains only the ARN of the secret.
 */
export class Webhook extends Construct {
  readonly #destination: ApiDestination;
  readonly #role: Role;

  constructor(scope: Construct, id: string, { name, url, header, secretArn }: WebhookNotification, bus: IEventBus) {
    super(scope, id);
    const connection = new Connection(this, "Connection", {
      connectionName: `pawl-${name}`,
      authorization: Authorization.apiKey(header, SecretValue.secretsManager(secretArn)),
    });
    this.#destination = new ApiDestination(this, "Destination", {
      apiDestinationName: `pawl-${name}`,
      connection,
      endpoint: url,
      httpMethod: HttpMethod.POST,
      rateLimitPerSecond: 10,
    });
    const ruleArns = Stack.of(this).formatArn({
      service: "events",
      resource: "rule",
      resourceName: `${bus.eventBusName}/*`,
    });
    const resources = [this.#destination.apiDestinationArn];
    this.#role = new Role(this, "Role", {
      description: `Lets EventBridge call the webhook ${name}`,
      assumedBy: trustService(this, "events.amazonaws.com", [ruleArns]),
      inlinePolicies: {
        pawl: new PolicyDocument({
          statements: [new PolicyStatement({ sid: "Call", actions: ["events:InvokeApiDestination"], resources })],
        }),
      },
    });
  }

  /** Returns the target for a rule. */
  target(delivery: Delivery): IRuleTarget {
    const eventRole = this.#role.withoutPolicyUpdates();
    return new ApiDestinationTarget(this.#destination as IApiDestination, { eventRole, ...delivery });
  }
}
