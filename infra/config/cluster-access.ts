import * as v from "valibot";
import { closedObject, crossCheck, nullSetting, unique } from "../../functions/domain/text/schema.ts";
import * as grammar from "./grammar.ts";

export const eks = closedObject({
  clusterName: grammar.eksName,
  region: grammar.region,
  endpoint: nullSetting(grammar.endpoint, "Read from EKS at the first use if absent."),
  certificateAuthority: nullSetting(
    grammar.certificateAuthority,
    "A PEM certificate in base64, as EKS gives it. Read from EKS at the first use if absent.",
  ),
  assumeRoleArn: nullSetting(
    grammar.roleArn,
    "A role in the cluster's account that has an access entry. If absent, the functions' own roles are used.",
  ),
  externalId: nullSetting(grammar.externalId, "What the trust policy of assumeRoleArn requires as sts:ExternalId."),
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

interface Written {
  readonly eks?: v.InferOutput<typeof eks> | undefined;
  readonly kubeconfig?: v.InferOutput<typeof kubeconfig> | undefined;
}

/** Checks that a cluster is reached in one way. */
export function oneAccess<Of extends Written>() {
  return crossCheck<Of>(
    [],
    ({ eks: onEks, kubeconfig: bySecret }) => {
      if ((onEks === undefined) !== (bySecret === undefined)) return [];
      const reason = onEks === undefined ? "has neither eks nor kubeconfig" : "has both eks and kubeconfig";
      return [{ path: [], reason: `${reason}; use one of them` }];
    },
    { oneOf: [{ required: ["eks"] }, { required: ["kubeconfig"] }] },
  );
}

export function externalIdForRole<Of extends Written>() {
  return crossCheck<Of>(["eks"], ({ eks: onEks }) => {
    if (!onEks?.externalId || onEks.assumeRoleArn) return [];
    return [{ path: ["eks", "externalId"], reason: "is for eks.assumeRoleArn, which is absent" }];
  });
}

/** Returns a cluster with the way that reaches it, once it is checked that there is one. */
export function withAccess<Of extends Written>({ eks: onEks, kubeconfig: bySecret, ...rest }: Of) {
  const access =
    onEks === undefined ? { kind: "kubeconfig" as const, ...bySecret! } : { kind: "eks" as const, ...onEks };
  return { ...rest, access };
}
