import { Annotations } from "aws-cdk-lib";
import { SecurityGroup, Vpc } from "aws-cdk-lib/aws-ec2";
import type { FunctionOptions } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { NetworkConfig } from "../../config/schema.ts";

/** The VPC and security group of functions that connect to a private cluster. */
export type FunctionNetwork = Required<Pick<FunctionOptions, "vpc" | "securityGroups">>;

/** Imports the subnets and the security group without changing them. */
export function importNetwork(scope: Construct, id: string, config: NetworkConfig): FunctionNetwork {
  const { vpcId, subnetIds, availabilityZones, securityGroupId } = config;
  const vpc = Vpc.fromVpcAttributes(scope, id, {
    vpcId,
    availabilityZones: [...availabilityZones],
    privateSubnetIds: [...subnetIds],
  });
  // The route tables of the subnets are not used.
  Annotations.of(vpc).acknowledgeWarning("@aws-cdk/aws-ec2:noSubnetRouteTableId");
  const groupId = `${id}SecurityGroup`;
  return {
    vpc,
    securityGroups: [SecurityGroup.fromSecurityGroupId(scope, groupId, securityGroupId, { mutable: false })],
  };
}
