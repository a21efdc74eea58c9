import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { expect, test } from "vitest";
import { secondsAfter } from "../../../functions/adapters/renewed.ts";
import { secretCredentials } from "../../../functions/adapters/secrets/registry-credentials.ts";
import { secretText } from "../../../functions/adapters/secrets/secret.ts";
import { type AwsAnswer, fakeAws, refusalOf } from "../../support/aws-services.ts";
import { noon } from "../../support/workloads.ts";
import { imageOn } from "../oci-registry/scripted.ts";

const arn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:registries";

function configWith(password: string): AwsAnswer {
  const auth = Buffer.from(`pawl:${password}`).toString("base64");
  return { body: { SecretString: JSON.stringify({ auths: { "registry.example": { auth } } }) } };
}

function credentialsFrom(options: object, now = () => noon) {
  const client = new SecretsManagerClient(options);
  return secretCredentials(secretText({ client, secretArn: arn, now }), arn);
}

test("a login is found by its registry; without one it is anonymous", async () => {
  await using aws = await fakeAws(() => configWith("first"));
  const credentials = credentialsFrom(aws.options);
  expect(await credentials(imageOn("registry.example"))).toEqual({
    kind: "password",
    username: "pawl",
    password: "first",
  });
  expect(await credentials(imageOn("other.example"))).toBeNull();
  expect(aws.calls).toHaveLength(1);
});

test("a rotated login is used within five minutes", async () => {
  await using aws = await fakeAws(() => configWith(`secret-${aws.calls.length}`));
  let time = noon;
  const credentials = credentialsFrom(aws.options, () => time);
  await credentials(imageOn("registry.example"));
  time = secondsAfter(noon, 300);
  expect(await credentials(imageOn("registry.example"))).toMatchObject({ password: "secret-2" });
});

test.for([
  { when: "the secret is not there", answer: refusalOf("ResourceNotFoundException"), name: "RegistryRefused" },
  { when: "too many ask", answer: refusalOf("ThrottlingException"), name: "Throttled" },
  { when: "it is no docker config", answer: { body: { SecretString: "hunter2" } }, name: "DockerConfigInvalid" },
])("it is $name where $when", async ({ answer, name }) => {
  await using aws = await fakeAws(() => answer);
  const refused = credentialsFrom(aws.options)(imageOn("registry.example"));
  await expect(refused).rejects.toMatchObject({ name, message: expect.not.stringContaining("hunter2") });
});
