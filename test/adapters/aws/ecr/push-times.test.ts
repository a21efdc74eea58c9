import { expect, test } from "vitest";
import { createEcrPushTimes } from "../../../../functions/adapters/aws/ecr/push-times.ts";
import { type AwsAnswer, fakeAws, refusalOf } from "../../../support/aws/aws-services.ts";
import { noon } from "../../../support/workloads.ts";
import { imageAt } from "../../oci-registry/scripted-server.ts";

const ireland = imageAt("123456789012.dkr.ecr.eu-west-1.amazonaws.com");
const digest = `sha256:${"a".repeat(64)}`;

async function ask(answer: AwsAnswer, image = ireland, tags: readonly string[] = ["1.0.0"]) {
  await using aws = await fakeAws(() => answer);
  const found = await createEcrPushTimes(aws.options)(image, tags).catch((error: unknown) => error);
  return { found, calls: aws.calls };
}

test("each tag has the time when ECR received its digest, by one request", async () => {
  const imagePushedAt = noon.getTime() / 1000;
  const imageDetails = [
    { imageDigest: digest, imageTags: ["1.0.0", "1.0"], imagePushedAt },
    { imageDigest: digest, imageTags: ["no-time"] },
    { imagePushedAt, imageDigest: digest },
  ];
  const { found, calls } = await ask(
    { body: { imageDetails } },
    ireland,
    Array.from({ length: 120 }, (_, index) => `1.${index}`),
  );
  const at = { digest, at: "2026-11-20T12:00:00Z" };
  expect(found).toEqual(
    new Map([
      ["1.0.0", at],
      ["1.0", at],
    ]),
  );
  expect(calls).toHaveLength(1);
  expect(JSON.parse(calls[0]?.body ?? "")).toMatchObject({ registryId: "123456789012", imageIds: { length: 100 } });
});

test.for(["AccessDeniedException", "ImageNotFoundException"])("no time is known after %s", async (name) => {
  expect((await ask(refusalOf(name))).found).toEqual(new Map());
});

test("ECR that throttles is asked later", async () => {
  expect((await ask(refusalOf("ThrottlingException"))).found).toMatchObject({ name: "Throttled" });
});

test.for([
  { image: imageAt("registry.example"), tags: ["1.0.0"] },
  { image: ireland, tags: [] },
])("nothing is asked of $image.registry about $tags", async ({ image, tags }) => {
  const { found, calls } = await ask({ body: {} }, image, tags);
  expect(found).toEqual(new Map());
  expect(calls).toEqual([]);
});
