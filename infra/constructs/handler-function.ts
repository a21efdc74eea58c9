import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import { PolicyDocument, Role, type PolicyStatement } from "aws-cdk-lib/aws-iam";
import {
  Alias,
  Architecture,
  CodeSigningConfig,
  Function,
  RecursiveLoop,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import type { FunctionOptions, IAlias, IVersion } from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { createLogGroup, type LogSettings } from "./log-group.ts";
import { createCode } from "./bundling.ts";
import { functionSpecs, type FunctionSpec, type HandlerName } from "./function-specs.ts";
import { functionArn, live, resourceName } from "./resource-names.ts";
import { trustLambda } from "./service-trust.ts";
import type { FunctionNetwork } from "./network.ts";
import { networkInterfaceStatements, writeTracesStatement, writeLogsStatement } from "./permissions/runtime.ts";

export interface HandlerFunctionProps {
  /** The cluster's name; null serves all clusters. */
  readonly cluster: string | null;
  readonly handler: HandlerName;
  /** Contains the ARNs of secrets, never their values. */
  readonly environment: Readonly<Record<string, string>>;
  /** A PEM file that is added to the code; null adds none. */
  readonly certificates: string | null;
  /** Texts that are added to the code, by file name. */
  readonly files?: Readonly<Record<string, string>>;
  /** In addition to the permissions to write logs and traces. */
  readonly permissions: readonly PolicyStatement[];
  /** null runs it outside any VPC. */
  readonly network: FunctionNetwork | null;
  /** null reserves nothing. */
  readonly reservedConcurrency: number | null;
  readonly logs: LogSettings;
  /** null: Lambda does not check the signature of the code. */
  readonly codeSigningConfigArn: string | null;
}

/**
 * A Lambda function of one handler: its bundle, a role with exactly the given permissions, a log group, and the alias
 * `live`, which all callers use. Old versions are retained, because executions in flight during a deployment need them.
 */
export class HandlerFunction extends Construct {
  readonly role: Role;
  readonly alias: IAlias;
  readonly functionName: string;

  constructor(scope: Construct, id: string, props: HandlerFunctionProps) {
    super(scope, id);
    const { cluster, handler, network, reservedConcurrency } = props;
    const { memoryMegabytes, timeoutSeconds } = functionSpecs[handler];
    this.functionName = resourceName(cluster, handler);
    const logGroup = createLogGroup(this, `/aws/lambda/${this.functionName}`, props.logs);
    this.role = this.#createRole(logGroup, props);
    const lambda = new Function(this, "Function", {
      functionName: this.functionName,
      description: `${describeScope(cluster)}: ${handler}`,
      code: createCode(handler, props.certificates, props.files),
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout: Duration.seconds(timeoutSeconds),
      // The CDK must not add statements: `permissions` is complete.
      role: this.role.withoutPolicyUpdates(),
      logGroup,
      tracing: Tracing.ACTIVE,
      environment: { ...props.environment },
      ...(reservedConcurrency === null ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
      ...network,
      ...this.#codeSigning(props),
      ...recursiveLoopOption(handler),
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    // The interfaces of the CDK are declared without exactOptionalPropertyTypes, so its classes need a cast.
    this.alias = new Alias(this, "Live", { aliasName: live, version: lambda.currentVersion as IVersion }) as IAlias;
  }

  #codeSigning({ codeSigningConfigArn: arn }: HandlerFunctionProps): Pick<FunctionOptions, "codeSigningConfig"> {
    if (arn === null) return {};
    return { codeSigningConfig: CodeSigningConfig.fromCodeSigningConfigArn(this, "CodeSigning", arn) };
  }

  #createRole(logGroup: LogGroup, { cluster, handler, network, permissions }: HandlerFunctionProps): Role {
    const own = [
      writeLogsStatement(logGroup),
      writeTracesStatement(),
      ...(network === null ? [] : networkInterfaceStatements(this, this.functionName)),
    ];
    const role = new Role(this, "Role", {
      description: `${describeScope(cluster)}: role of ${handler}`,
      assumedBy: trustLambda(this, functionArn(this, cluster, handler)),
      inlinePolicies: { pawl: new PolicyDocument({ statements: [...own, ...permissions] }) },
    });
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason:
        "X-Ray, network interfaces of a VPC, authorization tokens of ECR, metrics of CloudWatch and results of SSM commands do not support resource-level permissions.",
    });
    return role;
  }
}

function describeScope(cluster: string | null): string {
  return cluster === null ? "Pawl" : `Pawl, cluster ${cluster}`;
}

/** Allows a poll to invoke itself to continue. Otherwise, Lambda stops it after 16 invocations. */
function recursiveLoopOption(handler: HandlerName): Pick<FunctionOptions, "recursiveLoop"> {
  const { capabilities }: FunctionSpec = functionSpecs[handler];
  return capabilities.includes("polls") ? { recursiveLoop: RecursiveLoop.ALLOW } : {};
}
