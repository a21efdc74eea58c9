import { EKSClient } from "@aws-sdk/client-eks";
import { describe, expect, test } from "vitest";
import { describeAddress } from "../../../functions/adapters/eks/cluster-address.ts";
import { credentialsOf } from "../../../functions/adapters/eks/credentials.ts";
import { type AwsAnswer, fakeAws, refusalOf } from "../../support/aws-services.ts";

const described = { endpoint: "https://eks.example", certificateAuthority: { data: "UEVN" }, status: "ACTIVE" };

describe("where a cluster is", () => {
  test("is asked of EKS by its name", async () => {
    await using aws = await fakeAws(() => ({ body: { cluster: described } }));
    const address = await describeAddress(new EKSClient(aws.options), "production");
    expect(address).toEqual({ endpoint: "https://eks.example", certificateAuthority: "UEVN" });
    expect(aws.calls.map(({ operation }) => operation)).toEqual(["GET /clusters/production"]);
  });

  test.for<{ when: string; answer: AwsAnswer | "hang up"; name: string; says: string }>([
    { when: "too many ask", answer: refusalOf("ThrottlingException", 429), name: "Throttled", says: "production" },
    { when: "EKS is down", answer: refusalOf("ServerException", 500), name: "Unreachable", says: "production" },
    { when: "it hangs up", answer: "hang up", name: "Unreachable", says: "production" },
    {
      when: "there is none",
      answer: refusalOf("ResourceNotFoundException", 404),
      name: "ClusterNotDescribed",
      says: "ResourceNotFoundException",
    },
    {
      when: "the role may not",
      answer: refusalOf("AccessDeniedException", 403),
      name: "ClusterNotDescribed",
      says: "AccessDeniedException",
    },
    {
      when: "it is being made",
      answer: { body: { cluster: { status: "CREATING" } } },
      name: "ClusterNotDescribed",
      says: "CREATING",
    },
  ])("is $name where $when", async ({ answer, name, says }) => {
    await using aws = await fakeAws(() => answer);
    await expect(describeAddress(new EKSClient(aws.options), "production")).rejects.toMatchObject({
      name,
      message: expect.stringContaining(says),
    });
  });
});

const assumed = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>
<Expiration>2026-11-20T13:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`;

describe("credentials", () => {
  test("of a role are a new session of it, begun with the function's own", async () => {
    await using aws = await fakeAws(() => ({ body: assumed, headers: { "content-type": "text/xml" } }));
    const arn = "arn:aws:iam::210987654321:role/pawl";
    expect(await credentialsOf(arn, aws.options)()).toMatchObject({
      accessKeyId: "ASIA",
      sessionToken: "t",
      expiration: new Date("2026-11-20T13:00:00Z"),
    });
    const [call] = aws.calls;
    expect(new URLSearchParams(call?.body).get("RoleArn")).toBe(arn);
    expect(call?.authorization).toContain("Credential=AKIDEXAMPLE/");
  });

  test("without a role are the function's own, and nobody is asked", async () => {
    await using aws = await fakeAws(() => "hang up");
    expect(await credentialsOf(null, aws.options)()).toEqual(aws.options.credentials);
    expect(aws.calls).toEqual([]);
  });
});
