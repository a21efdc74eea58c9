import { expect, onTestFinished, test } from "vitest";
import { buildPorts } from "../../functions/runtime/compose-ports.ts";
import { fakeAws } from "../support/aws/aws-services.ts";
import { startGitHub } from "../support/git/github/server.ts";
import { appSecret } from "../support/git/github/tokens.ts";

const arn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:pawl/github-a1B2c3";

test("a repository of the deployment is opened once, with the GitHub App of its secret", async () => {
  const host = await startGitHub({ "web.yaml": 'image: app:1 # {"$imagepolicy": "shop:web"}\n' }, () => new Date());
  onTestFinished(() => host.stop());
  await using aws = await fakeAws(() => ({ body: { SecretString: appSecret } }));
  const access = {
    apiUrl: host.apiUrl,
    pageUrl: "https://pawl.example.com",
    repository: host.name,
    branch: "main",
    mode: "pullRequest",
    appSecretArn: arn,
    paths: ["*"],
  };
  const git = [
    { name: "config", namespaces: null, access },
    { name: "elsewhere", namespaces: null, access: null },
  ];
  const ports = await buildPorts({ PAWL_GIT: JSON.stringify(git) }, "test", { aws: aws.options });
  const repository = await ports.git("config");
  expect([...((await repository?.readHead())?.files.keys() ?? [])]).toEqual(["web.yaml"]);
  expect(repository?.pageUrl).toBe("https://pawl.example.com");
  expect(await ports.git("config")).toBe(repository);
  expect(aws.calls.map(({ body }) => JSON.parse(body) as object)).toEqual([{ SecretId: arn }]);
  expect([await ports.git("elsewhere"), await ports.git("other")]).toEqual([null, null]);
});
