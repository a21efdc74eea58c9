import { secondsAfter } from "../../../../functions/domain/text/rfc3339.ts";
import { describe, expect, test } from "vitest";
import { createEcrCredentials } from "../../../../functions/adapters/aws/ecr/credentials.ts";
import { type AwsAnswer, type AwsCall, fakeAws, refusalOf } from "../../../support/aws/aws-services.ts";
import { noon } from "../../../support/workloads.ts";
import { imageAt } from "../../oci-registry/scripted-server.ts";

const hour = 3600;
const ireland = imageAt("123456789012.dkr.ecr.eu-west-1.amazonaws.com");
const otherAccount = imageAt("210987654321.dkr.ecr.eu-west-1.amazonaws.com");
const virginia = imageAt("123456789012.dkr.ecr.us-east-1.amazonaws.com");
const gallery = imageAt("public.ecr.aws");

/** Returns the region and service of a request's signature. */
function signedFor({ authorization }: AwsCall): string {
  return /\/\d{8}\/([^/]+\/[^/]+)\/aws4_request/.exec(authorization)?.[1] ?? "unsigned";
}

/** Starts both services: a token's password is the region and service of its request, and a counter. */
async function startEcr({ hoursLeft = 12, now = () => noon }: { hoursLeft?: number; now?: () => Date } = {}) {
  const aws = await fakeAws((call): AwsAnswer => {
    const authorizationToken = Buffer.from(`AWS:${signedFor(call)}:${aws.calls.length}`).toString("base64");
    const data = { authorizationToken, expiresAt: secondsAfter(now(), hoursLeft * hour).getTime() / 1000 };
    return { body: { authorizationData: signedFor(call).endsWith("/ecr-public") ? data : [data] } };
  });
  return aws;
}

describe("the login of a registry", () => {
  test.for([
    { image: ireland, signed: "eu-west-1/ecr" },
    { image: otherAccount, signed: "eu-west-1/ecr" },
    { image: virginia, signed: "us-east-1/ecr" },
    { image: imageAt("123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn"), signed: "cn-north-1/ecr" },
    { image: gallery, signed: "us-east-1/ecr-public" },
  ])("$image.registry is the role's, by a token of $signed", async ({ image, signed }) => {
    await using aws = await startEcr();
    const credentials = createEcrCredentials({ aws: aws.options, now: () => noon });
    expect(await credentials(image)).toEqual({ kind: "password", username: "AWS", password: `${signed}:1` });
    expect(aws.calls.map(signedFor)).toEqual([signed]);
  });

  test.for([
    "registry-1.docker.io",
    "123456789012.dkr.ecr.eu-west-1.amazonaws.com.evil.example",
    "public.ecr.aws.evil.example",
  ])("%s is not the role's, and ECR is not called", async (registry) => {
    await using aws = await startEcr();
    const credentials = createEcrCredentials({ aws: aws.options, now: () => noon });
    expect(await credentials(imageAt(registry))).toBeNull();
    expect(aws.calls).toEqual([]);
  });
});

describe("a token", () => {
  test("is used for all accounts of its region, and for no other region", async () => {
    await using aws = await startEcr();
    const credentials = createEcrCredentials({ aws: aws.options, now: () => noon });
    await Promise.all([ireland, otherAccount, virginia, ireland, gallery, gallery].map((image) => credentials(image)));
    expect(aws.calls.map(signedFor).toSorted()).toEqual(["eu-west-1/ecr", "us-east-1/ecr", "us-east-1/ecr-public"]);
  });

  test.for([
    { hoursLeft: 12, passedHours: 10.99, requests: 1 },
    { hoursLeft: 12, passedHours: 11, requests: 2 },
    { hoursLeft: 1, passedHours: 0.49, requests: 1 },
    { hoursLeft: 1, passedHours: 0.5, requests: 2 },
    { hoursLeft: 0, passedHours: 0, requests: 2 },
  ])(
    "with $hoursLeft h left, $passedHours h later: requested $requests times",
    async ({ hoursLeft, passedHours, requests }) => {
      let time = noon;
      const now = () => time;
      await using aws = await startEcr({ hoursLeft, now });
      const credentials = createEcrCredentials({ aws: aws.options, now });
      for (const image of [ireland, gallery]) await credentials(image);
      time = secondsAfter(noon, passedHours * hour);
      for (const image of [ireland, gallery]) await credentials(image);
      expect(aws.calls).toHaveLength(requests * 2);
    },
  );
});

describe.for([
  { service: "ECR", image: ireland },
  { service: "ECR Public", image: gallery },
])("$service fails", ({ image }) => {
  test.for<{ when: string; answer: AwsAnswer | "hang up"; name: string }>([
    { when: "it throttles", answer: refusalOf("ThrottlingException"), name: "Throttled" },
    { when: "it is down", answer: refusalOf("ServerException", 500), name: "Unreachable" },
    { when: "it closes the connection", answer: "hang up", name: "Unreachable" },
    { when: "the role lacks permission", answer: refusalOf("AccessDeniedException"), name: "RegistryUnauthorized" },
    { when: "its response is empty", answer: { body: {} }, name: "RegistryUnauthorized" },
  ])("as $name if $when, and is called again", async ({ answer, name }) => {
    await using aws = await fakeAws(() => answer);
    const credentials = createEcrCredentials({ aws: aws.options, now: () => noon });
    for (const requests of [1, 2]) {
      await expect(credentials(image)).rejects.toMatchObject({ name });
      expect(aws.calls).toHaveLength(requests);
    }
  });
});
