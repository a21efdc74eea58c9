import { Duration } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { SqsEventSource } from "aws-cdk-lib/aws-lambda-event-sources";
import type { IQueue, Queue } from "aws-cdk-lib/aws-sqs";
import { Construct } from "constructs";
import type { RequestNotification } from "../../config/schema.ts";
import { createQueue, receiveStatement } from "../functions/dead-letter-queue.ts";
import { layerPath } from "../functions/files-layer.ts";
import { functionSpecs } from "../functions/function-specs.ts";
import { HandlerFunction } from "../functions/handler-function.ts";
import { queueConcurrency } from "../functions/reserved-concurrency.ts";
import type { LogSettings } from "../functions/log-group.ts";
import { metricNamespace } from "../../config/metric-namespace.ts";
import { notificationsFile, resourceName } from "../resource-names.ts";

export interface NotifyFunctionProps {
  readonly prefix: string;
  /** At least one. */
  readonly targets: readonly RequestNotification[];
  readonly deadLetters: IQueue;
  /** null: the queue has a key of SQS. */
  readonly keyArn: string | null;
  readonly logs: LogSettings;
  readonly codeSigningConfigArn: string | null;
}

const batchSeconds = 30;
const maxMessages = 10_000;
/** What Lambda recommends. A message that was not delivered is received again after this time. */
const visibilitySeconds = 6 * functionSpecs.notify.timeoutSeconds + batchSeconds;
const maxReceives = 5;

/**
 * The function that sends the notifications of all clusters, and its queue. A layer contains the targets, with the ARNs of their secrets,
 * which it may read. Receivers that hang hold two executions of it at most; a message that has failed five times is a dead letter.
 */
export class NotifyFunction extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, props: NotifyFunctionProps) {
    super(scope, id);
    const { prefix, targets, deadLetters, keyArn, logs, codeSigningConfigArn } = props;
    this.queue = createQueue(this, "Queue", keyArn, {
      queueName: resourceName({ prefix, name: null }, "notifications"),
      visibilityTimeout: Duration.seconds(visibilitySeconds),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives },
    });
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
        receiveStatement(this.queue),
        ...(keyArn === null
          ? []
          : [new PolicyStatement({ sid: "DecryptMessages", actions: ["kms:Decrypt"], resources: [keyArn] })]),
      ],
      network: null,
      reservedConcurrency: null,
      logs,
      codeSigningConfigArn,
    });
    created.alias.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: maxMessages,
        maxBatchingWindow: Duration.seconds(batchSeconds),
        maxConcurrency: queueConcurrency,
        reportBatchItemFailures: true,
      }),
    );
  }
}
