import { describe, expect, test } from "vitest";
import { ecrCredentials } from "../../../functions/adapters/ecr/credentials.ts";
import { secondsAfter } from "../../../functions/adapters/renewed.ts";
import { type AwsAnswer, type AwsCall, fakeAws, refusalOf } from "../../support/aws-services.ts";
import { noon } from "../../support/workloads.ts";
import { imageOn } from "../oci-registry/scripted.ts";

const hour = 3600;
const ireland = imageOn("123456789012.dkr.ecr.eu-west-1.amazonaws.com");
const elsewhere = imageOn("210987654321.dkr.ecr.eu-west-1.amazonaws.com");
const virginia = imageOn("123456789012.dkr.ecr.us-east-1.amazonaws.com");
const gallery = imageOn("public.ecr.aws");

/** Region and service as the request was signed for. */
function signedFor({ authorization }: AwsCall): string {
  return /\/\d{8}\/([^/]+\/[^/]+)\/aws4_request/.exec(authorization)?.[1] ?? "nobody";
}

/** Both services in one: a token whose password is the place that it was asked for, and how many were given before. */
async function ecr({ hoursLeft = 12, now = () => noon }: { hoursLeft?: number; now?: () => Date } = {}) {
  const aws = await fakeAws((call): AwsAnswer => {
    const authorizationToken = Buffer.from(`AWS:${signedFor(call)}:${aws.calls.length}`).toString("base64");
    const data = { authorizationToken, expiresAt: secondsAfter(now(), hoursLeft * hour).getTime() / 1000 };
    return { body: { authorizationData: signedFor(call).endsWith("/ecr-public") ? data : [data] } };
  });
  return aws;
}

describe("who logs in where", () => {
  test.for([
    { image: ireland, signed: "eu-west-1/ecr" },
    { image: elsewhere, signed: "eu-west-1/ecr" },
    { image: virginia, signed: "us-east-1/ecr" },
    { image: imageOn("123456789012.dkr.ecr.cn-north-1.amazonaws.com.cn"), signed: "cn-north-1/ecr" },
    { image: gallery, signed: "us-east-1/ecr-public" },
  ])("$image.registry: the role, by a token of $signed", async ({ image, signed }) => {
    await using aws = await ecr();
    const credentials = ecrCredentials({ aws: aws.options, now: () => noon });
    expect(await credentials(image)).toEqual({ kind: "password", username: "AWS", password: `${signed}:1` });
    expect(aws.calls.map(signedFor)).toEqual([signed]);
  });

  test.for([
    "registry-1.docker.io",
    "123456789012.dkr.ecr.eu-west-1.amazonaws.com.evil.example",
    "public.ecr.aws.evil.example",
  ])("%s: not the role, and ECR is not asked", async (registry) => {
    await using aws = await ecr();
    const credentials = ecrCredentials({ aws: aws.options, now: () => noon });
    expect(await credentials(imageOn(registry))).toBeNull();
    expect(aws.calls).toEqual([]);
  });
});

describe("a token", () => {
  test("serves all accounts of its region, and no other region", async () => {
    await using aws = await ecr();
    const credentials = ecrCredentials({ aws: aws.options, now: () => noon });
    await Promise.all([ireland, elsewhere, virginia, ireland, gallery, gallery].map((image) => credentials(image)));
    expect(aws.calls.map(signedFor).toSorted()).toEqual(["eu-west-1/ecr", "us-east-1/ecr", "us-east-1/ecr-public"]);
  });

  test.for([
    { hoursLeft: 12, passedHours: 10.99, asked: 1 },
    { hoursLeft: 12, passedHours: 11, asked: 2 },
    { hoursLeft: 1, passedHours: 0.49, asked: 1 },
    { hoursLeft: 1, passedHours: 0.5, asked: 2 },
    { hoursLeft: 0, passedHours: 0, asked: 2 },
  ])(
    "with $hoursLeft h left, $passedHours h later: asked for $asked times",
    async ({ hoursLeft, passedHours, asked }) => {
      let time = noon;
      const now = () => time;
      await using aws = await ecr({ hoursLeft, now });
      const credentials = ecrCredentials({ aws: aws.options, now });
      for (const image of [ireland, gallery]) await credentials(image);
      time = secondsAfter(noon, passedHours * hour);
      for (const image of [ireland, gallery]) await credentials(image);
      expect(aws.calls).toHaveLength(asked * 2);
    },
  );
});

describe.for([
  { service: "ECR", image: ireland },
  { service: "ECR Public", image: gallery },
])("$service fails", ({ image }) => {
  test.for<{ when: string; answer: AwsAnswer | "hang up"; name: string }>([
    { when: "too many ask", answer: refusalOf("ThrottlingException"), name: "Throttled" },
    { when: "it is down", answer: refusalOf("ServerException", 500), name: "Unreachable" },
    { when: "it hangs up", answer: "hang up", name: "Unreachable" },
    { when: "the role may not", answer: refusalOf("AccessDeniedException"), name: "RegistryRefused" },
    { when: "it gives nothing", answer: { body: {} }, name: "RegistryRefused" },
  ])("as $name where $when, and is asked again", async ({ answer, name }) => {
    await using aws = await fakeAws(() => answer);
    const credentials = ecrCredentials({ aws: aws.options, now: () => noon });
    for (const asked of [1, 2]) {
      await expect(credentials(image)).rejects.toMatchObject({ name });
      expect(aws.calls).toHaveLength(asked);
    }
  });
});
