import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../../infra/config/read-config.ts";
import { type AwsAnswer, fakeAws, refusalOf } from "../../support/aws/aws-services.ts";
import { runPawl } from "../run-pawl.ts";

vi.setConfig({ testTimeout: 60_000 });

const certificate = Buffer.from("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n").toString("base64");
const described = {
  name: "prod",
  status: "ACTIVE",
  endpoint: "https://AB12.gr7.eu-west-1.eks.amazonaws.com",
  certificateAuthority: { data: certificate },
  accessConfig: { authenticationMode: "API" },
  resourcesVpcConfig: {
    endpointPublicAccess: true,
    vpcId: "vpc-1",
    subnetIds: ["subnet-1"],
    clusterSecurityGroupId: "sg-1",
  },
};

async function init(args: readonly string[], cluster: object | AwsAnswer | null = described, before?: string) {
  const directory = await mkdtemp(join(tmpdir(), "pawl-init-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "pawl.json");
  if (before !== undefined) await writeFile(file, before);
  await using aws = await fakeAws(() =>
    cluster !== null && "status" in cluster && typeof cluster.status === "number" ? cluster : { body: { cluster } },
  );
  const login = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "secret" };
  const env = {
    AWS_ENDPOINT_URL: aws.options.endpoint,
    AWS_EC2_METADATA_DISABLED: "true",
    ...(cluster === null ? {} : login),
  };
  const ran = await runPawl(["init", "--file", file, ...args], { env: { ...env, HOME: directory } });
  const text = await readFile(file, "utf8").catch(() => null);
  return { ...ran, file, text, calls: aws.calls.map(({ operation }) => operation) };
}

const eks = ["--eks", "prod", "--region", "eu-west-1"];

test("writes a configuration that can be deployed, with the address from EKS", async () => {
  const { text, stdout, status, calls } = await init([...eks, "--email", "ops@pawl.test", "-n", "shop"]);
  expect({ status, calls }).toEqual({ status: 0, calls: ["GET /clusters/prod"] });
  const reading = readConfig(JSON.parse(text ?? ""));
  expect(reading).toMatchObject({
    kind: "config",
    input: {
      clusters: [
        {
          name: "prod",
          eks: {
            clusterName: "prod",
            region: "eu-west-1",
            endpoint: described.endpoint,
            certificateAuthority: certificate,
          },
          namespaces: ["shop"],
        },
      ],
      alarms: { emails: ["ops@pawl.test"] },
    },
  });
  expect(stdout).toContain("npx cdk deploy --all");
});

test.for([
  {
    when: "no credentials",
    cluster: null,
    says: /Missing: endpoint and certificateAuthority \(CredentialsProviderError/,
  },
  {
    when: "EKS does not know the cluster",
    cluster: { ...refusalOf("ResourceNotFoundException", 404) },
    says: /Missing: endpoint .*ResourceNotFoundException/,
  },
  {
    when: "the cluster is being created",
    cluster: { name: "prod", status: "CREATING" },
    says: /the cluster is CREATING/,
  },
])("with $when it writes the rest, and says what is missing", async ({ cluster, says }) => {
  const { text, stdout, status } = await init(eks, cluster);
  expect(status).toBe(0);
  expect(stdout).toMatch(says);
  expect(JSON.parse(text ?? "")).toMatchObject({ clusters: [{ eks: { clusterName: "prod", region: "eu-west-1" } }] });
  expect(text).not.toContain("endpoint");
});

test("says what a private endpoint and the authentication mode CONFIG_MAP need", async () => {
  const cluster = {
    ...described,
    accessConfig: { authenticationMode: "CONFIG_MAP" },
    resourcesVpcConfig: { ...described.resourcesVpcConfig, endpointPublicAccess: false },
  };
  const { stdout } = await init([...eks, "--json"], cluster);
  const { missing } = JSON.parse(stdout) as { missing: string[] };
  expect(missing).toEqual([
    expect.stringContaining(
      "aws eks update-cluster-config --name prod --access-config authenticationMode=API_AND_CONFIG_MAP",
    ),
    expect.stringMatching(/The endpoint is private.*vpcId vpc-1, subnetIds among subnet-1.*sg-1/),
  ]);
});

test("writes several clusters: by ARN in their accounts and regions, and no address of another account's cluster", async () => {
  const arn = "arn:aws:eks:us-east-1:111122223333:cluster/other";
  const { text, stdout, status, calls } = await init([...eks, "--eks", arn], {
    ...described,
    arn: "arn:aws:eks:us-east-1:444455556666:cluster/other",
  });
  expect({ status, calls }).toEqual({ status: 0, calls: ["GET /clusters/prod", "GET /clusters/other"] });
  expect(readConfig(JSON.parse(text ?? ""))).toMatchObject({ kind: "config" });
  const { clusters } = JSON.parse(text ?? "") as { clusters: object[] };
  expect(clusters).toMatchObject([
    { name: "prod", eks: { region: "eu-west-1", endpoint: described.endpoint } },
    { name: "other", account: "111122223333", region: "us-east-1", eks: { region: "us-east-1" } },
  ]);
  expect(clusters[0]).not.toHaveProperty("account");
  expect(JSON.stringify(clusters[1])).not.toContain("endpoint");
  expect(stdout).toContain(
    "other: Missing: endpoint and certificateAuthority (the credentials are of the account 444455556666",
  );
  // Another run would lose the address of the first.
  expect(stdout).not.toContain("--force");
  expect(stdout).toContain("aws eks describe-cluster --name other --region us-east-1");
  // The stack of a cluster without an ARN is in the region of the shell.
  expect(stdout).toContain("export AWS_REGION=eu-west-1\n");
  for (const name of ["prod", "other"])
    expect(stdout).toContain(`npx --no-install pawl doctor --cluster ${name} --file`);
});

test("writes a cluster by kubeconfig without a call to AWS", async () => {
  const secretArn = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:edge-a1B2c3";
  const { text, calls } = await init(["--kubeconfig-secret", secretArn, "--context", "edge", "--name", "edge"]);
  expect(calls).toEqual([]);
  expect(JSON.parse(text ?? "")).toMatchObject({
    clusters: [{ name: "edge", kubeconfig: { secretArn, context: "edge" } }],
  });
});

test("replaces an existing file only with --force", async () => {
  const refused = await init(eks, described, "mine");
  expect(refused).toMatchObject({ status: 2, text: "mine", calls: [] });
  expect(refused.stderr).toContain("exists and was not changed; --force replaces it");
  expect((await init([...eks, "--force"], described, "mine")).text).toContain("clusterName");
});

test.for([
  { args: [], says: "no terminal to ask on; use --eks NAME --region REGION" },
  { args: ["--eks", "prod"], says: "--region is missing" },
  { args: [...eks, "--kubeconfig-secret", "x"], says: "exclude each other" },
  { args: [...eks, "--eks", "stage", "--name", "x"], says: "--name: is for one cluster" },
  {
    args: [...eks, "--eks", "arn:aws:eks:us-east-1:111122223333:cluster/Prod"],
    says: '--eks: two clusters would have the name "prod" in Pawl; write one with --name',
  },
  { args: [...eks, "--schedule", "rate(5 parsecs)"], says: 'pawl: clusters[0].poll.schedule: "rate(5 parsecs)"' },
  { args: ["--kubeconfig-secret", "my-secret"], says: "the complete ARN of a secret" },
  { args: [...eks, "--email", "me@example.com"], says: "placeholders of the example (alarms.emails[0])" },
])("rejects $args, and writes nothing", async ({ args, says }) => {
  const { status, stderr, text } = await init(args);
  expect({ status, text }).toEqual({ status: 2, text: null });
  expect(stderr).toContain(says);
});
