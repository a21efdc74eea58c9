/** A change to a small valid configuration, made by `write`, and what the reader says about it; no problems is valid. */
export interface Case {
  readonly when: string;
  readonly write: unknown;
  /** Or what matches one. */
  readonly problems: readonly unknown[];
  /** What a JSON Schema cannot say: the reader alone refuses it. */
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

/** A deployment of one cluster. */
export const one = (more: object) => ({ clusters: [{ name: "prod", eks, ...more }] });
export const onEks = (more: object) => one({ eks: { ...eks, ...more } });
export const inNetwork = (more: object) => one({ network: { ...network, ...more } });
export const polled = (schedule: unknown) => one({ poll: { schedule } });
export const beside = (more: object) => ({ ...one({}), ...more });
export const webhook = { kind: "webhook", name: "chat", url: "https://hooks.example.com/x", secretArn };
