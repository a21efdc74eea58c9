import { Duration, RemovalPolicy, Validations } from "aws-cdk-lib";
import { PolicyDocument, Role, ServicePrincipal, type PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Alias, Architecture, Function, RecursiveLoop, Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import type { FunctionOptions, IAlias, IVersion } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { codeOf } from "./bundling.ts";
import { functionSpecs, type FunctionSpec, type HandlerName } from "./functions.ts";
import { live, nameOf } from "./names.ts";
import type { FunctionNetwork } from "./network.ts";
import { interfacesInVpc, tracing, writingLogs } from "./permissions/runtime.ts";

export interface PawlFunctionProps {
  /** The cluster's name. */
  readonly cluster: string;
  readonly handler: HandlerName;
  /** Names and places; a secret stands here by its ARN only. */
  readonly environment: Readonly<Record<string, string>>;
  /** A PEM file whose certificates lie beside its code; null lays none there. */
  readonly certificates: string | null;
  /** What it may do besides writing its logs and traces. */
  readonly permissions: readonly PolicyStatement[];
  /** null runs it outside any VPC. */
  readonly network: FunctionNetwork | null;
  /** null reserves nothing. */
  readonly reservedConcurrency: number | null;
  readonly logRetentionDays: number;
}

/**
 * One handler as a Lambda: its bundle, a role of its own with exactly the permissions given, its log group, and the alias
 * `live`, by which alone it is invoked. Old versions stay: an execution in flight during a deploy finds what it needs.
 */
export class PawlFunction extends Construct {
  readonly role: Role;
  readonly alias: IAlias;
  readonly functionName: string;

  constructor(scope: Construct, id: string, props: PawlFunctionProps) {
    super(scope, id);
    const { cluster, handler, network, reservedConcurrency } = props;
    const { memoryMegabytes, timeoutSeconds } = functionSpecs[handler];
    this.functionName = nameOf(cluster, handler);
    const logGroup = this.#logGroup(props.logRetentionDays);
    this.role = this.#role(logGroup, props);
    const lambda = new Function(this, "Function", {
      functionName: this.functionName,
      description: `Pawl, cluster ${cluster}: ${handler}`,
      code: codeOf(handler, props.certificates),
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: memoryMegabytes,
      timeout: Duration.seconds(timeoutSeconds),
      // Frozen, so that nothing but `permissions` ever says what the function may do.
      role: this.role.withoutPolicyUpdates(),
      logGroup,
      tracing: Tracing.ACTIVE,
      environment: { ...props.environment },
      ...(reservedConcurrency === null ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
      ...network,
      ...recursion(handler),
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    // The CDK declares its interfaces without exactOptionalPropertyTypes: its own classes have to be told to be them.
    this.alias = new Alias(this, "Live", { aliasName: live, version: lambda.currentVersion as IVersion }) as IAlias;
  }

  #logGroup(retentionDays: number): LogGroup {
    const logGroupName = `/aws/lambda/${this.functionName}`;
    return new LogGroup(this, "Logs", { logGroupName, retention: retentionDays, removalPolicy: RemovalPolicy.DESTROY });
  }

  #role(logGroup: LogGroup, { cluster, handler, network, permissions }: PawlFunctionProps): Role {
    const own = [
      writingLogs(logGroup),
      tracing(),
      ...(network === null ? [] : interfacesInVpc(this, this.functionName)),
    ];
    const role = new Role(this, "Role", {
      description: `What ${handler} of Pawl may do for cluster ${cluster}`,
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      inlinePolicies: { pawl: new PolicyDocument({ statements: [...own, ...permissions] }) },
    });
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason:
        "X-Ray, a VPC's network interfaces, the tokens of ECR and of STS for it, and what became of a command of SSM have no resources: AWS takes nothing but * for them.",
    });
    return role;
  }
}

/** A poll invokes itself with the rest of its work and comes to an end by itself; Lambda would end it after 16 invocations. */
function recursion(handler: HandlerName): Pick<FunctionOptions, "recursiveLoop"> {
  const { uses }: FunctionSpec = functionSpecs[handler];
  return uses.includes("polls") ? { recursiveLoop: RecursiveLoop.ALLOW } : {};
}
