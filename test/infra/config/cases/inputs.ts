/** An input of `readConfig` and the expected problems. An input without problems is valid. */
export interface Case {
  readonly when: string;
  readonly input: unknown;
  /** Texts or matchers. */
  readonly problems: readonly unknown[];
  /** The JSON Schema cannot express the rule; only `readConfig` rejects the input. */
  readonly beyondSchema?: true;
}

export const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/edge-a1B2c3";
export const eks = { clusterName: "prod", region: "eu-central-1" };
export const network = {
  vpcId: "vpc-0a1b2c3d",
  subnetIds: ["subnet-0a1b2c3d"],
  availabilityZones: ["eu-central-1a"],
  securityGroupId: "sg-0a1b2c3d",
};
export const certificate = Buffer.from("-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n").toString(
  "base64",
);

/** A configuration of one cluster. */
export const withCluster = (more: object) => ({ clusters: [{ name: "prod", eks, ...more }] });
export const onEks = (more: object) => withCluster({ eks: { ...eks, ...more } });
export const inNetwork = (more: object) => withCluster({ network: { ...network, ...more } });
export const withSchedule = (schedule: unknown) => withCluster({ poll: { schedule } });
export const withSettings = (more: object) => ({ ...withCluster({}), ...more });
export const slack = { kind: "slack", name: "team", secretArn };
export const webhook = { kind: "webhook", name: "chat", url: "https://hooks.example.com/x" };
