import { RemovalPolicy } from "aws-cdk-lib";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { PawlConfig } from "../../config/schema.ts";
import { importKey } from "../access/import-key.ts";

/** How logs are kept, and whether there are traces beside them. */
export type LogSettings = Pick<PawlConfig, "logRetentionDays" | "retainLogs" | "encryptionKeyArn" | "tracing">;

/** Creates the log group of a function or state machine. */
export function createLogGroup(scope: Construct, logGroupName: string, settings: LogSettings): LogGroup {
  const { logRetentionDays, retainLogs, encryptionKeyArn } = settings;
  return new LogGroup(scope, "Logs", {
    logGroupName,
    retention: logRetentionDays,
    removalPolicy: retainLogs ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    ...(encryptionKeyArn === null ? {} : { encryptionKey: importKey(scope, encryptionKeyArn) }),
  });
}
