import { SecretValue } from "aws-cdk-lib";
import {
  ApiDestination,
  Authorization,
  Connection,
  HttpMethod,
  type IApiDestination,
  type IRuleTarget,
} from "aws-cdk-lib/aws-events";
import { ApiDestination as ApiDestinationTarget } from "aws-cdk-lib/aws-events-targets";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import type { WebhookNotification } from "../config-shape.ts";
import type { Delivery } from "./notifications.ts";

/**
 * A webhook as EventBridge calls it: one header, whose value CloudFormation copies from the secret into the connection at
 * each deploy that changes the connection. The template holds the secret's ARN only.
 */
export class Webhook extends Construct {
  readonly #destination: ApiDestination;
  readonly #role: Role;

  constructor(scope: Construct, id: string, { name, url, header, secretArn }: WebhookNotification) {
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
    const resources = [this.#destination.apiDestinationArn];
    this.#role = new Role(this, "Role", {
      description: `May call the webhook ${name}`,
      assumedBy: new ServicePrincipal("events.amazonaws.com"),
      inlinePolicies: {
        pawl: new PolicyDocument({
          statements: [new PolicyStatement({ sid: "Call", actions: ["events:InvokeApiDestination"], resources })],
        }),
      },
    });
  }

  /** What a rule is given. */
  target(delivery: Delivery): IRuleTarget {
    const eventRole = this.#role.withoutPolicyUpdates();
    return new ApiDestinationTarget(this.#destination as IApiDestination, { eventRole, ...delivery });
  }
}
