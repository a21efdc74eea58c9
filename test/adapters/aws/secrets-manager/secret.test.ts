import { secondsAfter } from "../../../../functions/domain/text/rfc3339.ts";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { expect, test } from "vitest";
import { createSecretCache } from "../../../../functions/adapters/aws/secrets-manager/secret.ts";
import { type AwsAnswer, fakeAws, refusalOf } from "../../../support/aws/aws-services.ts";
import { noon } from "../../../support/workloads.ts";

const secretArn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:kubeconfig-AbCdEf";

test.for([
  { kind: "text", body: { SecretString: "the text" } },
  { kind: "binary", body: { SecretBinary: Buffer.from("the text").toString("base64") } },
])("a $kind secret is read by its ARN", async ({ body }) => {
  await using aws = await fakeAws(() => ({ body }));
  const secret = createSecretCache({ client: new SecretsManagerClient(aws.options), secretArn, now: () => noon });
  expect(await secret.get()).toBe("the text");
  expect(aws.calls.map((call) => [call.operation, JSON.parse(call.body)])).toEqual([
    ["GetSecretValue", { SecretId: secretArn }],
  ]);
});

test("a rotated secret is used after five minutes", async () => {
  await using aws = await fakeAws(() => ({ body: { SecretString: `version ${aws.calls.length}` } }));
  let time = noon;
  const secret = createSecretCache({ client: new SecretsManagerClient(aws.options), secretArn, now: () => time });
  const read = [];
  for (const seconds of [0, 299, 300, 301, 600]) {
    time = secondsAfter(noon, seconds);
    read.push(await secret.get());
  }
  expect(read).toEqual(["version 1", "version 1", "version 2", "version 2", "version 3"]);
});

test.for<{ when: string; answer: AwsAnswer | "hang up"; name: string }>([
  { when: "Secrets Manager throttles", answer: refusalOf("ThrottlingException"), name: "Throttled" },
  { when: "the service is down", answer: refusalOf("InternalServiceError", 500), name: "Unreachable" },
  { when: "it closes the connection", answer: "hang up", name: "Unreachable" },
  { when: "the secret does not exist", answer: refusalOf("ResourceNotFoundException"), name: "SecretUnreadable" },
  { when: "the role lacks permission", answer: refusalOf("AccessDeniedException"), name: "SecretUnreadable" },
  { when: "its key does not exist", answer: refusalOf("DecryptionFailure"), name: "SecretUnreadable" },
  { when: "it is empty", answer: { body: { SecretString: " \n" } }, name: "SecretUnreadable" },
])("the error is $name if $when", async ({ answer, name }) => {
  await using aws = await fakeAws(() => answer);
  const secret = createSecretCache({ client: new SecretsManagerClient(aws.options), secretArn, now: () => noon });
  await expect(secret.get()).rejects.toMatchObject({ name, message: expect.stringContaining(secretArn) });
});
