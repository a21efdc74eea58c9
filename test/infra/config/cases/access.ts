import { network, certificate, withCluster, onEks, inNetwork, type Case } from "./inputs.ts";

export const accessCases: readonly Case[] = [
  {
    when: "no region",
    input: withCluster({ eks: { clusterName: "prod" } }),
    problems: ["clusters[0].eks.region: is missing; use a region such as eu-central-1"],
  },
  {
    when: "an availability zone as region",
    input: onEks({ region: "eu-central-1a" }),
    problems: ['clusters[0].eks.region: "eu-central-1a" is not a region such as eu-central-1'],
  },
  { when: "a GovCloud region", input: onEks({ region: "us-gov-west-1" }), problems: [] },
  {
    when: "an endpoint and its CA",
    input: onEks({ endpoint: "https://abc.eks.amazonaws.com", certificateAuthority: certificate }),
    problems: [],
  },
  {
    when: "an endpoint over http",
    input: onEks({ endpoint: "http://abc.eks.amazonaws.com" }),
    problems: ['clusters[0].eks.endpoint: "http://abc.eks.amazonaws.com" is not an https:// address without a path'],
  },
  {
    when: "a CA that is not base64",
    input: onEks({ certificateAuthority: "-----BEGIN" }),
    problems: ['clusters[0].eks.certificateAuthority: "-----BEGIN" is not a PEM certificate in base64, in one line'],
  },
  {
    when: "a CA that is not PEM",
    input: onEks({ certificateAuthority: "aGVsbG8=" }),
    problems: ['clusters[0].eks.certificateAuthority: "aGVsbG8=" is not a PEM certificate in base64, in one line'],
  },
  {
    when: "a role of another account",
    input: onEks({ assumeRoleArn: "arn:aws:iam::210987654321:role/team/pawl" }),
    problems: [],
  },
  {
    when: "an external ID without a role",
    input: onEks({ externalId: "id-1" }),
    problems: ["clusters[0].eks.externalId: is for eks.assumeRoleArn, which is absent"],
    beyondSchema: true,
  },
  {
    when: "a user ARN as role",
    input: onEks({ assumeRoleArn: "arn:aws:iam::210987654321:user/me" }),
    problems: ['clusters[0].eks.assumeRoleArn: "arn:aws:iam::210987654321:user/me" is not the ARN of a role'],
  },
  {
    when: "a secret's name as ARN",
    input: { clusters: [{ name: "edge", kubeconfig: { secretArn: "pawl/edge" } }] },
    problems: [
      'clusters[0].kubeconfig.secretArn: "pawl/edge" is not the complete ARN of a secret, with the hyphen and six characters at its end',
    ],
  },
  {
    when: "peers",
    input: withCluster({
      peers: [
        { name: "staging", eks: { clusterName: "stage", region: "eu-central-1" } },
        {
          name: "edge",
          kubeconfig: { secretArn: "arn:aws:secretsmanager:eu-central-1:123456789012:secret:pawl/edge-a1B2c3" },
        },
      ],
    }),
    problems: [],
  },
  {
    when: "a peer that cannot be reached",
    input: withCluster({ peers: [{ name: "staging" }] }),
    problems: ["clusters[0].peers[0]: has neither eks nor kubeconfig; use one of them"],
  },
  {
    when: "a peer that is the cluster itself",
    input: withCluster({ peers: [{ name: "prod", eks: { clusterName: "prod", region: "eu-central-1" } }] }),
    problems: ["clusters[0].peers[0].name: is this cluster; workloads of it need no peer"],
    beyondSchema: true,
  },
  { when: "a network", input: withCluster({ network }), problems: [] },
  {
    when: "an incomplete network",
    input: withCluster({ network: { vpcId: "vpc-0a1b2c3d" } }),
    problems: [
      "clusters[0].network.subnetIds: is missing; use a list",
      "clusters[0].network.availabilityZones: is missing; use a list",
      "clusters[0].network.securityGroupId: is missing; use a security group's id",
    ],
  },
  {
    when: "a duplicate subnet",
    input: inNetwork({
      subnetIds: ["subnet-0a1b2c3d", "subnet-0a1b2c3d"],
      availabilityZones: ["eu-central-1a", "eu-central-1b"],
    }),
    problems: ['clusters[0].network.subnetIds[1]: "subnet-0a1b2c3d" is a duplicate of [0]'],
  },
  {
    when: "a subnet without its zone",
    input: inNetwork({ subnetIds: ["subnet-0a1b2c3d", "subnet-0a1b2c3e"] }),
    problems: ["clusters[0].network: has 2 subnetIds and 1 availabilityZones: name each subnet's zone, in order"],
    beyondSchema: true,
  },
  {
    when: "an invalid security group",
    input: inNetwork({ securityGroupId: "default" }),
    problems: ['clusters[0].network.securityGroupId: "default" is not a security group\'s id'],
  },
];
