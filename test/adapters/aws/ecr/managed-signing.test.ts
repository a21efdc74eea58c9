import { expect, test } from "vitest";
import { createManagedSigning } from "../../../../functions/adapters/aws/ecr/managed-signing.ts";
import { fakeAws, refusalOf } from "../../../support/aws/aws-services.ts";
import { imageAt } from "../../oci-registry/scripted-server.ts";

const image = imageAt("123456789012.dkr.ecr.eu-west-1.amazonaws.com");
const digest = `sha256:${"a".repeat(64)}`;
const signingProfileArn = "arn:aws:signer:eu-west-1:123456789012:/signing-profiles/release";

test("ECR is asked about the digest in the registry of the account, and what it says is read", async () => {
  await using aws = await fakeAws(() => ({
    body: {
      signingStatuses: [
        { signingProfileArn, status: "COMPLETE" },
        {
          signingProfileArn: `${signingProfileArn}2`,
          status: "FAILED",
          failureCode: "AccessDenied",
          failureReason: "no right",
        },
        { status: "COMPLETE" },
      ],
    },
  }));
  expect(await createManagedSigning(aws.options)(image, digest)).toEqual([
    { profile: signingProfileArn, status: "COMPLETE", reason: "" },
    { profile: `${signingProfileArn}2`, status: "FAILED", reason: "AccessDenied: no right" },
  ]);
  const [call] = aws.calls;
  expect([call?.operation, JSON.parse(call?.body ?? "")]).toEqual([
    "DescribeImageSigningStatus",
    { registryId: "123456789012", repositoryName: image.repository, imageId: { imageDigest: digest } },
  ]);
});

test.for(["AccessDeniedException", "ImageNotFoundException", "RepositoryNotFoundException"])(
  "%s is an answer",
  async (name) => {
    await using aws = await fakeAws(() => refusalOf(name));
    expect(await createManagedSigning(aws.options)(image, digest)).toContain("ECR: ");
  },
);

test.for([
  { refused: "ThrottlingException", as: "Throttled" },
  { refused: "ServerException", as: "Unreachable" },
])("$refused says nothing: $as", async ({ refused, as }) => {
  await using aws = await fakeAws(() => refusalOf(refused, as === "Unreachable" ? 500 : 400));
  await expect(createManagedSigning(aws.options)(image, digest)).rejects.toMatchObject({ name: as });
});

test("another registry is not asked", async () => {
  await using aws = await fakeAws(() => ({ body: {} }));
  const found = await createManagedSigning(aws.options)(imageAt("ghcr.io"), digest);
  expect([found, aws.calls]).toEqual(["ghcr.io is no private registry of ECR", []]);
});
