import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnEventInvokeConfig, type IAlias } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { RequestNotification } from "../../config/schema.ts";
import { sendStatements } from "../functions/dead-letter-queue.ts";
import { layerPath } from "../functions/files-layer.ts";
import { HandlerFunction } from "../functions/handler-function.ts";
import type { LogSettings } from "../functions/log-group.ts";
import { metricNamespace } from "../../config/metric-namespace.ts";
import { live, notificationsFile } from "../resource-names.ts";

export interface NotifyFunctionProps {
  readonly prefix: string;
  /** At least one. */
  readonly targets: readonly RequestNotification[];
  readonly deadLetters: IQueue;
  readonly logs: LogSettings;
  readonly codeSigningConfigArn: string | null;
}

/**
 * The function that sends the notifications of all clusters. A layer contains the targets, with the ARNs of their secrets, which it may
 * read. Lambda invokes it twice more if it fails, and then sends the event to the dead-letter queue.
 */
export class NotifyFunction extends Construct {
  readonly alias: IAlias;

  constructor(scope: Construct, id: string, props: NotifyFunctionProps) {
    super(scope, id);
    const { prefix, targets, deadLetters, logs, codeSigningConfigArn } = props;
    const secretArns = new Set(targets.map(({ secretArn }) => secretArn).filter((arn) => arn !== null));
    const secrets = { actions: ["secretsmanager:GetSecretValue"], resources: [...secretArns] };
    const created = new HandlerFunction(this, "Handler", {
      cluster: { prefix, name: null },
      handler: "notify",
      environment: {
        PAWL_NOTIFICATIONS_FILE: layerPath(notificationsFile),
        POWERTOOLS_METRICS_NAMESPACE: metricNamespace({ prefix }),
        POWERTOOLS_SERVICE_NAME: "notify",
        LOG_LEVEL: "INFO",
      },
      files: { [notificationsFile]: JSON.stringify(targets) },
      permissions: [
        ...(secretArns.size === 0 ? [] : [new PolicyStatement({ sid: "Secrets", ...secrets })]),
        ...sendStatements(deadLetters),
      ],
      network: null,
      reservedConcurrency: null,
      logs,
      codeSigningConfigArn,
    });
    this.alias = created.alias;
    const config = new CfnEventInvokeConfig(this, "Retries", {
      functionName: created.functionName,
      qualifier: live,
      maximumRetryAttempts: 2,
      maximumEventAgeInSeconds: 6 * 3600,
      destinationConfig: { onFailure: { destination: deadLetters.queueArn } },
    });
    config.node.addDependency(created.alias);
  }
}
