import { network, certificate, one, onEks, inNetwork, type Case } from "./writing.ts";

export const accessCases: readonly Case[] = [
  {
    when: "no region",
    write: one({ eks: { clusterName: "prod" } }),
    problems: ["clusters[0].eks.region: is missing, write a region such as eu-central-1"],
  },
  {
    when: "a zone for a region",
    write: onEks({ region: "eu-central-1a" }),
    problems: ['clusters[0].eks.region: "eu-central-1a" is not a region such as eu-central-1'],
  },
  { when: "a region of the government", write: onEks({ region: "us-gov-west-1" }), problems: [] },
  {
    when: "an endpoint and its CA",
    write: onEks({ endpoint: "https://abc.eks.amazonaws.com", certificateAuthority: certificate }),
    problems: [],
  },
  {
    when: "an endpoint over http",
    write: onEks({ endpoint: "http://abc.eks.amazonaws.com" }),
    problems: ['clusters[0].eks.endpoint: "http://abc.eks.amazonaws.com" is not an https:// address without a path'],
  },
  {
    when: "a CA that is no base64",
    write: onEks({ certificateAuthority: "-----BEGIN" }),
    problems: ['clusters[0].eks.certificateAuthority: "-----BEGIN" is not a PEM certificate in base64, in one line'],
  },
  {
    when: "a CA that is no PEM",
    write: onEks({ certificateAuthority: "aGVsbG8=" }),
    problems: ['clusters[0].eks.certificateAuthority: "aGVsbG8=" is not a PEM certificate in base64, in one line'],
  },
  {
    when: "a role of another account",
    write: onEks({ assumeRoleArn: "arn:aws:iam::210987654321:role/team/pawl" }),
    problems: [],
  },
  {
    when: "a user for a role",
    write: onEks({ assumeRoleArn: "arn:aws:iam::210987654321:user/me" }),
    problems: ['clusters[0].eks.assumeRoleArn: "arn:aws:iam::210987654321:user/me" is not the ARN of a role'],
  },
  {
    when: "a secret's name for its ARN",
    write: { clusters: [{ name: "edge", kubeconfig: { secretArn: "pawl/edge" } }] },
    problems: [
      'clusters[0].kubeconfig.secretArn: "pawl/edge" is not the whole ARN of a secret, with the hyphen and six characters at its end',
    ],
  },
  { when: "a network", write: one({ network }), problems: [] },
  {
    when: "a network half written",
    write: one({ network: { vpcId: "vpc-0a1b2c3d" } }),
    problems: [
      "clusters[0].network.subnetIds: is missing, write a list",
      "clusters[0].network.availabilityZones: is missing, write a list",
      "clusters[0].network.securityGroupId: is missing, write a security group's id",
    ],
  },
  {
    when: "a subnet twice",
    write: inNetwork({
      subnetIds: ["subnet-0a1b2c3d", "subnet-0a1b2c3d"],
      availabilityZones: ["eu-central-1a", "eu-central-1b"],
    }),
    problems: ['clusters[0].network.subnetIds[1]: "subnet-0a1b2c3d" is already clusters[0].network.subnetIds[0]'],
  },
  {
    when: "a subnet without its zone",
    write: inNetwork({ subnetIds: ["subnet-0a1b2c3d", "subnet-0a1b2c3e"] }),
    problems: ["clusters[0].network: has 2 subnetIds and 1 availabilityZones: name each subnet's zone, in order"],
    beyondSchema: true,
  },
  {
    when: "a wrong security group",
    write: inNetwork({ securityGroupId: "default" }),
    problems: ['clusters[0].network.securityGroupId: "default" is not a security group\'s id'],
  },
];
