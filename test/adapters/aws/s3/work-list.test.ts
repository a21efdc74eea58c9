import { S3Client } from "@aws-sdk/client-s3";
import { expect, onTestFinished, test } from "vitest";
import { createS3WorkList } from "../../../../functions/adapters/aws/s3/work-list.ts";
import { Forbidden, Throttled, Unreachable } from "../../../../functions/ports/errors.ts";
import { workListContract } from "../../../contracts/work-list.ts";
import { type AwsAnswer, fakeAws } from "../../../support/aws/aws-services.ts";
import { startS3Endpoint } from "../../../support/aws/s3-endpoint.ts";

async function prepare() {
  const s3 = await startS3Endpoint();
  onTestFinished(() => s3.close());
  const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret" };
  const client = new S3Client({ endpoint: s3.url, region: "eu-west-1", credentials });
  onTestFinished(() => client.destroy());
  return { s3, workList: createS3WorkList({ client, bucket: "work", prefix: "production" }) };
}

workListContract(async () => (await prepare()).workList);

test("keeps the work lists of clusters and polls apart", async () => {
  const { s3, workList } = await prepare();
  await workList.put({ poll: "p-1", bucket: 3, chunk: 2 }, Uint8Array.of(1));
  expect([...s3.objects.keys()]).toEqual(["/work/production/p-1/3-2.jsonl.gz"]);
});

test("deletes a thousand chunks per request", async () => {
  const { s3, workList } = await prepare();
  const keys = Array.from({ length: 1001 }, (_, chunk) => ({ poll: "p-1", bucket: 0, chunk }));
  await workList.put({ poll: "p-1", bucket: 0, chunk: 1000 }, Uint8Array.of(1));
  await workList.delete(keys);
  expect(s3.requests.filter((request) => request.startsWith("POST"))).toHaveLength(2);
  expect(s3.objects.size).toBe(0);
});

const key = { poll: "p-1", bucket: 0, chunk: 0 };

test.for<{ answer: AwsAnswer | "hang up"; error: new (...args: never[]) => Error }>([
  { answer: { status: 503, body: "<Error><Code>SlowDown</Code></Error>" }, error: Unreachable },
  { answer: { status: 429, body: "<Error><Code>Throttling</Code></Error>" }, error: Throttled },
  { answer: "hang up", error: Unreachable },
  { answer: { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" }, error: Forbidden },
  { answer: { status: 401, body: "<Error><Code>Odd</Code></Error>" }, error: Forbidden },
  { answer: { status: 400, body: "<Error><Code>ExpiredToken</Code></Error>" }, error: Forbidden },
])("maps $answer to an error that counts against no workload", async ({ answer, error }) => {
  await using aws = await fakeAws(() => answer);
  const workList = createS3WorkList({ client: new S3Client(aws.options), bucket: "work", prefix: "production" });
  await expect(workList.put(key, Uint8Array.of(1))).rejects.toBeInstanceOf(error);
  await expect(workList.get(key)).rejects.toBeInstanceOf(error);
  await expect(workList.delete([key])).rejects.toBeInstanceOf(error);
});

test("a chunk that is not deleted is an error", async () => {
  const body =
    "<DeleteResult><Error><Key>production/p-1/0-0.jsonl.gz</Key><Code>AccessDenied</Code></Error></DeleteResult>";
  await using aws = await fakeAws(() => ({ body }));
  const workList = createS3WorkList({ client: new S3Client(aws.options), bucket: "work", prefix: "production" });
  await expect(workList.delete([key])).rejects.toThrow("production/p-1/0-0.jsonl.gz: AccessDenied");
});
