import * as v from "valibot";
import { closedObject, crossCheck, unique } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";

export const eks = closedObject({
  clusterName: grammar.eksName,
  region: grammar.region,
  endpoint: v.nullish(v.pipe(grammar.endpoint, v.description("Read from EKS at the first use if absent.")), null),
  certificateAuthority: v.nullish(
    v.pipe(
      grammar.certificateAuthority,
      v.description("A PEM certificate in base64, as EKS gives it. Read from EKS at the first use if absent."),
    ),
    null,
  ),
  assumeRoleArn: v.nullish(
    v.pipe(
      grammar.roleArn,
      v.description(
        "A role in the cluster's account that has an access entry. If absent, the functions' own roles are used.",
      ),
    ),
    null,
  ),
  externalId: v.nullish(
    v.pipe(grammar.externalId, v.description("What the trust policy of assumeRoleArn requires as sts:ExternalId.")),
    null,
  ),
});

export const kubeconfig = closedObject({
  secretArn: v.pipe(
    grammar.secretArn,
    v.description(
      "A secret that holds the kubeconfig, without exec and references to files. The complete ARN, with the hyphen and six characters at its end.",
    ),
  ),
  context: v.nullish(grammar.contextName, null),
});

export const network = v.pipe(
  closedObject({
    vpcId: grammar.vpcId,
    subnetIds: v.pipe(v.array(grammar.subnetId), v.minLength(1), unique<string>()),
    availabilityZones: v.pipe(
      v.array(grammar.availabilityZone),
      v.minLength(1),
      v.description("The zone of each subnet, in the same order."),
    ),
    securityGroupId: grammar.securityGroupId,
  }),
  crossCheck(["subnetIds", "availabilityZones"], ({ subnetIds, availabilityZones }) => {
    if (subnetIds.length === availabilityZones.length) return [];
    const counts = `${subnetIds.length} subnetIds and ${availabilityZones.length} availabilityZones`;
    return [{ path: [], reason: `has ${counts}: name each subnet's zone, in order` }];
  }),
);
