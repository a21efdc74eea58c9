import { Annotations } from "aws-cdk-lib";
import { SecurityGroup, Vpc } from "aws-cdk-lib/aws-ec2";
import type { FunctionOptions } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { NetworkConfig } from "../config-shape.ts";

/** Where functions run that are to reach a private cluster. */
export type FunctionNetwork = Required<Pick<FunctionOptions, "vpc" | "securityGroups">>;

/** The subnets and the security group as they are: nothing of them is changed. */
export function networkOf(scope: Construct, id: string, config: NetworkConfig): FunctionNetwork {
  const { vpcId, subnetIds, availabilityZones, securityGroupId } = config;
  const vpc = Vpc.fromVpcAttributes(scope, id, {
    vpcId,
    availabilityZones: [...availabilityZones],
    privateSubnetIds: [...subnetIds],
  });
  // Nothing here asks for the subnets' route tables.
  Annotations.of(vpc).acknowledgeWarning("@aws-cdk/aws-ec2:noSubnetRouteTableId");
  const groupId = `${id}SecurityGroup`;
  return {
    vpc,
    securityGroups: [SecurityGroup.fromSecurityGroupId(scope, groupId, securityGroupId, { mutable: false })],
  };
}
