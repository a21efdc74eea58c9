import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../../infra/local/kubernetes/cluster.ts";
import { type EmbeddedRegistry, startEmbeddedRegistry } from "../../../infra/local/registry/embedded-registry.ts";
import { builtIn } from "../cluster-fixture.ts";
import { runPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const login = { kind: "basic", username: "pawl", password: "ratchet" } as const;

let registry: EmbeddedRegistry;
let cluster: EmbeddedCluster;
let folder: string;

// The registry requires a login, and the workload has it as a pull secret; no deployed digest is recorded.
beforeAll(async () => {
  registry = await startEmbeddedRegistry({ repositories: { "shop/news": ["prod"] }, auth: login });
  const { spec, ...news } = builtIn("Deployment", "news", `${registry.host}/shop/news:prod`);
  const pod = { ...spec.template.spec, imagePullSecrets: [{ name: "login" }] };
  const annotations = { "image-updater.eznix86.github.io/enabled": "true" };
  cluster = await startEmbeddedCluster({
    now: () => new Date(),
    digestOf: (image) => registry.digestOf(image),
    objects: [
      {
        ...news,
        metadata: { ...news.metadata, annotations },
        spec: { ...spec, template: { ...spec.template, spec: pod } },
      },
      { apiVersion: "v1", kind: "Secret", metadata: { name: "login", namespace: "shop" }, data: dockerConfig() },
    ],
  });
  folder = await mkdtemp(join(tmpdir(), "pawl-cli-"));
  await writeFile(join(folder, "kubeconfig"), cluster.kubeconfig);
});
afterAll(() => Promise.all([cluster.close(), registry.close(), rm(folder, { recursive: true })]));

test.for([
  {
    when: "no option is set",
    args: [],
    plan: { state: "Stalled", message: expect.stringContaining("requires a user name") },
  },
  { when: "pull secrets are read", args: ["--pull-secrets"], plan: { state: "Behind" } },
  {
    when: "the environment enables pull secrets",
    args: [],
    env: { PAWL_USE_PULL_SECRETS: "true" },
    plan: { state: "Behind" },
  },
  {
    when: "an option overrides the environment",
    args: ["--pull-secrets", "false"],
    env: { PAWL_USE_PULL_SECRETS: "true" },
    plan: { state: "Stalled" },
  },
  {
    when: "the running digest is adopted",
    args: ["--pull-secrets", "--on-first-digest", "adopt"],
    plan: { state: "UpToDate", reason: "SameDigest" },
  },
  {
    when: "the environment adopts it",
    args: ["--pull-secrets"],
    env: { PAWL_DIGEST_ON_FIRST_SEEN: "adopt" },
    plan: { state: "UpToDate", reason: "SameDigest" },
  },
])("pawl plan, if $when: $plan.state", async ({ args, env = {}, plan }) => {
  const flags = ["--kubeconfig", join(folder, "kubeconfig"), "--insecure-registry", registry.host, "--json"];
  const { stdout } = await runPawl(["plan", ...flags, ...args], { env });
  expect(JSON.parse(stdout)).toMatchObject([{ workload: "deployment/shop/news", ...plan }]);
});

test("an invalid policy is rejected", async () => {
  const { stderr, status } = await runPawl(["local", "--digest-pull-policy", "never"]);
  expect(status).toBe(2);
  expect(stderr).toContain("Allowed choices are unchanged, Always");
});

function dockerConfig() {
  const auth = Buffer.from(`${login.username}:${login.password}`).toString("base64");
  const text = JSON.stringify({ auths: { [registry.host]: { auth } } });
  return { ".dockerconfigjson": Buffer.from(text).toString("base64") };
}
