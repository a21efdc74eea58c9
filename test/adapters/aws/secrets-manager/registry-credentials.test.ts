import { secondsAfter } from "../../../../functions/domain/text/rfc3339.ts";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { expect, test } from "vitest";
import { createSecretCredentials } from "../../../../functions/adapters/aws/secrets-manager/registry-credentials.ts";
import { createSecretCache } from "../../../../functions/adapters/aws/secrets-manager/secret.ts";
import { type AwsAnswer, fakeAws, refusalOf } from "../../../support/aws/aws-services.ts";
import { noon } from "../../../support/workloads.ts";
import { imageAt } from "../../oci-registry/scripted-server.ts";

const arn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:registries";

function configWith(password: string): AwsAnswer {
  const auth = Buffer.from(`pawl:${password}`).toString("base64");
  return { body: { SecretString: JSON.stringify({ auths: { "registry.example": { auth } } }) } };
}

function credentialsFrom(options: object, now = () => noon) {
  const client = new SecretsManagerClient(options);
  return createSecretCredentials(createSecretCache({ client, secretArn: arn, now }), arn);
}

test("a login is found by its registry, and null without one", async () => {
  await using aws = await fakeAws(() => configWith("first"));
  const credentials = credentialsFrom(aws.options);
  expect(await credentials(imageAt("registry.example"))).toEqual({
    kind: "password",
    username: "pawl",
    password: "first",
  });
  expect(await credentials(imageAt("other.example"))).toBeNull();
  expect(aws.calls).toHaveLength(1);
});

test("a rotated login is used within five minutes", async () => {
  await using aws = await fakeAws(() => configWith(`secret-${aws.calls.length}`));
  let time = noon;
  const credentials = credentialsFrom(aws.options, () => time);
  await credentials(imageAt("registry.example"));
  time = secondsAfter(noon, 300);
  expect(await credentials(imageAt("registry.example"))).toMatchObject({ password: "secret-2" });
});

test.for([
  { when: "the secret does not exist", answer: refusalOf("ResourceNotFoundException"), name: "RegistryUnauthorized" },
  { when: "Secrets Manager throttles", answer: refusalOf("ThrottlingException"), name: "Throttled" },
  { when: "it is not a docker config", answer: { body: { SecretString: "hunter2" } }, name: "DockerConfigInvalid" },
])("the error is $name if $when", async ({ answer, name }) => {
  await using aws = await fakeAws(() => answer);
  const login = credentialsFrom(aws.options)(imageAt("registry.example"));
  await expect(login).rejects.toMatchObject({ name, message: expect.not.stringContaining("hunter2") });
});
