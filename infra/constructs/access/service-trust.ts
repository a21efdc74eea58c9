import { Stack } from "aws-cdk-lib";
import { ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";

/**
 * Lets a service assume a role on behalf of these resources of this account only, so that no other account can make the service use it.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html
 */
export function trustService(scope: Construct, service: string, sourceArns: readonly string[]): ServicePrincipal {
  return new ServicePrincipal(service, {
    conditions: {
      StringEquals: { "aws:SourceAccount": Stack.of(scope).account },
      ArnLike: { "aws:SourceArn": [...sourceArns] },
    },
  });
}

/** The same for Lambda, which documents neither key for execution roles: they are compared if the request has them. */
export function trustLambda(scope: Construct, functionArn: string): ServicePrincipal {
  return new ServicePrincipal("lambda.amazonaws.com", {
    conditions: {
      StringEqualsIfExists: { "aws:SourceAccount": Stack.of(scope).account },
      ArnLikeIfExists: { "aws:SourceArn": [functionArn, `${functionArn}:*`] },
    },
  });
}
