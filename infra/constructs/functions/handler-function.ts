import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import { Role, type PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Alias, Architecture, CodeSigningConfig, Function, Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import type { FunctionOptions, IAlias, IVersion } from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { createLogGroup, type LogSettings } from "./log-group.ts";
import { describeFunction, describeScope } from "./description.ts";
import { createFilesLayer } from "./files-layer.ts";
import { fitEnvironment } from "./fit-environment.ts";
import { createCode, handlerOf } from "./bundling.ts";
import { functionSpecs, type HandlerName } from "./function-specs.ts";
import { functionArn, live, type NameScope, resourceName, rolePath, settingsFile } from "../resource-names.ts";
import { trustLambda } from "../access/service-trust.ts";
import type { FunctionNetwork } from "../access/network.ts";
import { fitPolicy } from "../permissions/fit-policy.ts";
import { networkInterfaceStatements, writeTracesStatement, writeLogsStatement } from "../permissions/runtime.ts";

export interface HandlerFunctionProps {
  readonly cluster: NameScope;
  readonly handler: HandlerName;
  /** Contains the ARNs of secrets, never their values. */
  readonly environment: Readonly<Record<string, string>>;
  /** Texts that the function reads as files of a layer, by file name. */
  readonly files: Readonly<Record<string, string>>;
  /** In addition to the permissions to write logs and traces. */
  readonly permissions: readonly PolicyStatement[];
  /** null runs it outside any VPC. */
  readonly network: FunctionNetwork | null;
  /** That of `functionSpecs` if absent: memory in MB, and a timeout in seconds. */
  readonly size?: { readonly memory: number; readonly timeout: number } | undefined;
  /** null reserves nothing. */
  readonly reservedConcurrency: number | null;
  readonly logs: LogSettings;
  /** null: Lambda does not check the signature of the code. */
  readonly codeSigningConfigArn: string | null;
}

/**
 * A Lambda function of one handler: its bundle, a role with exactly the given permissions, a log group, and the alias
 * `live`, which all callers but state machines use. Old versions are retained, because executions in flight keep to theirs.
 */
export class HandlerFunction extends Construct {
  readonly role: Role;
  readonly alias: IAlias;
  /** What this deployment publishes: the definition of a state machine names it. */
  readonly version: IVersion;
  readonly functionName: string;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: HandlerFunctionProps) {
    super(scope, id);
    const { cluster, handler, network, reservedConcurrency } = props;
    const { memoryMegabytes, timeoutSeconds } = functionSpecs[handler];
    const { memory, timeout } = props.size ?? { memory: memoryMegabytes, timeout: timeoutSeconds };
    this.functionName = resourceName(cluster, handler);
    const { environment, settings } = fitEnvironment(this.functionName, props.environment);
    const hasSettings = Object.keys(settings).length > 0;
    const files = { ...props.files, ...(hasSettings ? { [settingsFile]: JSON.stringify(settings) } : {}) };
    this.logGroup = createLogGroup(this, `/aws/lambda/${this.functionName}`, props.logs);
    this.role = this.#createRole(this.logGroup, props);
    const lambda = new Function(this, "Function", {
      functionName: this.functionName,
      description: describeFunction(cluster, handler),
      code: createCode(),
      handler: handlerOf(handler),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memory,
      timeout: Duration.seconds(timeout),
      // The CDK must not add statements: `permissions` is complete.
      role: this.role.withoutPolicyUpdates(),
      logGroup: this.logGroup,
      ...(props.logs.tracing ? { tracing: Tracing.ACTIVE } : {}),
      environment,
      ...(Object.keys(files).length === 0 ? {} : { layers: [createFilesLayer(this, files)] }),
      ...(reservedConcurrency === null ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
      ...network,
      ...this.#codeSigning(props),
      // If CloudFormation rolls back a deployment it deletes what that published: Lambda refuses to publish the same code twice.
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE },
    });
    // The interfaces of the CDK are declared without exactOptionalPropertyTypes, so its classes need a cast.
    this.version = lambda.currentVersion as IVersion;
    this.alias = new Alias(this, "Live", { aliasName: live, version: this.version }) as IAlias;
  }

  #codeSigning({ codeSigningConfigArn: arn }: HandlerFunctionProps): Pick<FunctionOptions, "codeSigningConfig"> {
    if (arn === null) return {};
    return { codeSigningConfig: CodeSigningConfig.fromCodeSigningConfigArn(this, "CodeSigning", arn) };
  }

  #createRole(logGroup: LogGroup, { cluster, handler, network, permissions, logs }: HandlerFunctionProps): Role {
    const own = [
      writeLogsStatement(logGroup),
      ...(logs.tracing ? [writeTracesStatement()] : []),
      ...(network === null ? [] : networkInterfaceStatements(this, this.functionName)),
    ];
    const role = new Role(this, "Role", {
      path: rolePath(this, cluster),
      description: `Pawl${describeScope(cluster)}: role of ${handler}`,
      assumedBy: trustLambda(this, functionArn(this, cluster, handler)),
      inlinePolicies: { pawl: fitPolicy(this, this.functionName, [...own, ...permissions]) },
    });
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason:
        "X-Ray, network interfaces of a VPC, authorization tokens of ECR, metrics of CloudWatch and results of SSM commands do not support resource-level permissions.",
    });
    return role;
  }
}
