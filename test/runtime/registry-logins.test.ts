import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { buildPorts } from "../../functions/runtime/compose-ports.ts";
import { createEvaluator } from "../../functions/workflows/poll/evaluate/create-evaluator.ts";
import { json, startScriptedServer } from "../adapters/oci-registry/scripted-server.ts";
import { fakeAws } from "../support/aws/aws-services.ts";
import { workload } from "../support/workloads.ts";

const arn = (name: string) => `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${name}-a1B2c3`;
const basic = (user: string) => `Basic ${Buffer.from(`${user}:p`).toString("base64")}`;

/** Starts ports whose registry shows other tags to each login, and none without one. */
async function open(logins: (host: string) => readonly object[]) {
  const registry = await startScriptedServer(({ authorization, path }, response) => {
    const users = ["shop", "team", "all"];
    const user = users.find((one) => basic(one) === authorization);
    if (user === undefined) return json(response, {}, { "www-authenticate": "Basic" }, 401);
    if (path.includes("/manifests/")) return json(response, { schemaVersion: 2 });
    return json(response, { tags: [`${users.indexOf(user) + 2}.0.0`] });
  });
  const aws = await fakeAws(({ body }) => {
    const { SecretId = "" } = JSON.parse(body) as { SecretId?: string };
    const user = SecretId.split(":").at(-1)?.split("-")[0] ?? "";
    const auths = { [registry.host]: { auth: Buffer.from(`${user}:p`).toString("base64") } };
    return { body: { SecretString: JSON.stringify({ auths }) } };
  });
  const cluster = await startEmbeddedCluster({ now: () => new Date(), objects: [] });
  onTestFinished(async () => {
    await cluster.close();
    await aws[Symbol.asyncDispose]();
    await registry[Symbol.asyncDispose]();
  });
  const kubeconfig = join(await mkdtemp(join(tmpdir(), "pawl-logins-")), "kubeconfig");
  await writeFile(kubeconfig, cluster.kubeconfig);
  const environment = {
    PAWL_KUBECONFIG: kubeconfig,
    PAWL_INSECURE_REGISTRIES: registry.host,
    PAWL_REGISTRY_LOGINS: JSON.stringify(logins(registry.host)),
  };
  const evaluate = createEvaluator(await buildPorts(environment, "test", { aws: aws.options }));
  return {
    aws,
    async versionFor(namespace: string, repository = "team/app") {
      const image = `${registry.host}/${repository}:1.0.0`;
      const { ref } = workload();
      const subject = workload({ ref: { ...ref, namespace }, image, source: image });
      const decision = await evaluate(subject).catch((error: Error) => `${error.name}: ${error.message}`);
      if (typeof decision !== "string" && decision.kind === "problem") return decision.problems[0]?.code;
      return typeof decision === "string"
        ? decision
        : JSON.stringify(decision)
            .match(/\d\.0\.0/g)
            ?.at(-1);
    },
  };
}

test("a login of a namespace is used for its workloads only, and so is the answer that it obtains", async () => {
  const { versionFor, aws } = await open(() => [{ secretArn: arn("shop"), namespaces: ["shop"] }]);
  expect(await versionFor("shop")).toBe("2.0.0");
  expect(await versionFor("other")).toMatch(/^RegistryUnauthorized/);
  expect(await versionFor("shop")).toBe("2.0.0");
  expect(aws.calls).toHaveLength(1);
});

test("a login for a repository is used for no other, in every namespace", async () => {
  const { versionFor } = await open((host) => [{ secretArn: arn("team"), repositories: [`${host}/team`] }]);
  expect(await versionFor("shop")).toBe("3.0.0");
  expect(await versionFor("other")).toBe("3.0.0");
  expect(await versionFor("shop", "other/app")).toMatch(/^RegistryUnauthorized/);
});

test("a login for a namespace and a repository needs both, and comes before one for all", async () => {
  const { versionFor } = await open((host) => [
    { secretArn: arn("all") },
    { secretArn: arn("shop"), namespaces: ["shop"], repositories: [`${host}/team/app`] },
  ]);
  expect(await versionFor("shop")).toBe("2.0.0");
  expect(await versionFor("shop", "team/other")).toBe("4.0.0");
  expect(await versionFor("other")).toBe("4.0.0");
});
