import { AwsError } from "../aws-json/aws-error.ts";

export const localRegion = "us-east-1";
const account = "000000000000";
const prefix = `arn:aws:states:${localRegion}:${account}`;

export const localRoleArn = `arn:aws:iam::${account}:role/pawl-local`;

export function stateMachineArn(machine: string): string {
  return `${prefix}:stateMachine:${machine}`;
}

export function executionArn(machine: string, execution: string): string {
  return `${prefix}:execution:${machine}:${execution}`;
}

/** Returns the machine's name from its ARN, which may end in a version or an alias. Throws InvalidArn. */
export function machineName(arn: string): string {
  const [, machine] = /^arn:aws[a-z-]*:states:[a-z0-9-]+:\d{12}:stateMachine:([^:]+)(:[^:]+)?$/.exec(arn) ?? [];
  if (machine === undefined) throw invalidArn(arn);
  return machine;
}

/** Throws InvalidArn if `arn` is not the ARN of an execution. */
export function checkExecutionArn(arn: string): void {
  if (!/^arn:aws[a-z-]*:states:[a-z0-9-]+:\d{12}:execution:[^:]+:[^:]+$/.test(arn)) throw invalidArn(arn);
}

function invalidArn(arn: string): AwsError {
  return new AwsError("InvalidArn", `Invalid Arn: '${arn}'`);
}
