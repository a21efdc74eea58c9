import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EKSClient } from "@aws-sdk/client-eks";
import { fromNodeProviderChain } from "@aws-sdk/credential-providers";
import type { AwsCredentialIdentity } from "@smithy/types";
import { describe, expect, test, vi } from "vitest";
import { describeAddress } from "../../../../functions/adapters/aws/eks/cluster-address.ts";
import { createCredentialProvider } from "../../../../functions/adapters/aws/eks/credentials.ts";
import { type AwsAnswer, fakeAws, refusalOf } from "../../../support/aws/aws-services.ts";

const described = { endpoint: "https://eks.example", certificateAuthority: { data: "UEVN" }, status: "ACTIVE" };

describe("a cluster's address", () => {
  test("is requested from EKS by name", async () => {
    await using aws = await fakeAws(() => ({ body: { cluster: described } }));
    const address = await describeAddress(new EKSClient(aws.options), "production");
    expect(address).toEqual({ endpoint: "https://eks.example", certificateAuthority: "UEVN" });
    expect(aws.calls.map(({ operation }) => operation)).toEqual(["GET /clusters/production"]);
  });

  test.for<{ when: string; answer: AwsAnswer | "hang up"; name: string; message: string }>([
    { when: "EKS throttles", answer: refusalOf("ThrottlingException", 429), name: "Throttled", message: "production" },
    { when: "EKS is down", answer: refusalOf("ServerException", 500), name: "Unreachable", message: "production" },
    { when: "EKS closes the connection", answer: "hang up", name: "Unreachable", message: "production" },
    {
      when: "the cluster does not exist",
      answer: refusalOf("ResourceNotFoundException", 404),
      name: "ClusterNotDescribed",
      message: "ResourceNotFoundException",
    },
    {
      when: "the role lacks permission",
      answer: refusalOf("AccessDeniedException", 403),
      name: "ClusterNotDescribed",
      message: "AccessDeniedException",
    },
    {
      when: "the cluster is being created",
      answer: { body: { cluster: { status: "CREATING" } } },
      name: "ClusterNotDescribed",
      message: "CREATING",
    },
  ])("is $name if $when", async ({ answer, name, message }) => {
    await using aws = await fakeAws(() => answer);
    await expect(describeAddress(new EKSClient(aws.options), "production")).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message),
    });
  });
});

const assumed = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>
<Expiration>2026-11-20T13:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;

describe("credentials", () => {
  test("of a role are a new session, started with the function's own", async () => {
    await using aws = await fakeAws(() => ({ body: assumed, headers: { "content-type": "text/xml" } }));
    const arn = "arn:aws:iam::210987654321:role/pawl";
    expect(await createCredentialProvider(arn, aws.options, "id-1")()).toMatchObject({
      accessKeyId: "ASIA",
      sessionToken: "t",
      expiration: new Date("2026-11-20T13:00:00Z"),
    });
    const [call] = aws.calls;
    const sent = new URLSearchParams(call?.body);
    expect([sent.get("RoleArn"), sent.get("ExternalId")]).toEqual([arn, "id-1"]);
    expect(call?.authorization).toContain("Credential=AKIDEXAMPLE/");
  });

  test("without a role are the function's own, without a request", async () => {
    await using aws = await fakeAws(() => "hang up");
    expect(await createCredentialProvider(null, aws.options)()).toEqual(aws.options.credentials);
    expect(aws.calls).toEqual([]);
  });

  test.for<{ readonly with: string; readonly environment: Readonly<Record<string, string>> }>([
    { with: "a session", environment: { AWS_SESSION_TOKEN: "t" } },
    { with: "an expiry", environment: { AWS_SESSION_TOKEN: "t", AWS_CREDENTIAL_EXPIRATION: "2026-11-20T13:00:00Z" } },
    { with: "no session", environment: { AWS_SESSION_TOKEN: "" } },
    { with: "a profile, which has precedence", environment: { AWS_PROFILE: "other" } },
  ])("of the environment are those that the SDK finds, with $with", async ({ environment }) => {
    const folder = mkdtempSync(join(tmpdir(), "pawl-credentials-"));
    const file = join(folder, "credentials");
    writeFileSync(file, "[other]\naws_access_key_id = AKIDPROFILE\naws_secret_access_key = p\n");
    const keys = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "s", AWS_SHARED_CREDENTIALS_FILE: file };
    const unset = { AWS_SESSION_TOKEN: "", AWS_CREDENTIAL_EXPIRATION: "", AWS_PROFILE: "" };
    for (const [name, value] of Object.entries({ ...unset, ...keys, ...environment })) vi.stubEnv(name, value);
    vi.spyOn(console, "warn").mockReturnValue();
    try {
      expect(fieldsOf(await createCredentialProvider(null, {})())).toEqual(fieldsOf(await fromNodeProviderChain()()));
    } finally {
      vi.unstubAllEnvs();
      vi.restoreAllMocks();
      rmSync(folder, { recursive: true });
    }
  });
});

/** Without the notes of the SDK about their source. */
function fieldsOf({ accessKeyId, secretAccessKey, sessionToken, expiration }: AwsCredentialIdentity) {
  return { accessKeyId, secretAccessKey, sessionToken, expiration };
}
