import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type EmbeddedCluster, startEmbeddedCluster } from "../../infra/local/cluster/embedded-cluster.ts";
import { type EmbeddedRegistry, startEmbeddedRegistry } from "../../infra/local/registry/embedded-registry.ts";
import { builtIn } from "./cluster-fixture.ts";
import { runPawl } from "./run-pawl.ts";

// Each starts processes, which on a busy machine take their time.
vi.setConfig({ testTimeout: 60_000 });

const login = { kind: "basic", username: "pawl", password: "ratchet" } as const;

let registry: EmbeddedRegistry;
let cluster: EmbeddedCluster;
let folder: string;

/** A registry that asks for a login, and a workload whose pods have one; nothing is recorded of what they run. */
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
    when: "nothing is said",
    args: [],
    plan: { decision: "error", reason: expect.stringContaining("wants a user name") },
  },
  { when: "pull secrets are read", args: ["--pull-secrets"], plan: { decision: "restart" } },
  {
    when: "the environment has them read",
    args: [],
    env: { PAWL_PULL_SECRETS: "true" },
    plan: { decision: "restart" },
  },
  {
    when: "a flag speaks against the environment",
    args: ["--pull-secrets", "false"],
    env: { PAWL_PULL_SECRETS: "true" },
    plan: { decision: "error" },
  },
  {
    when: "what pods run is the baseline",
    args: ["--pull-secrets", "--digest-baseline", "running"],
    plan: { decision: "hold", hold: "same-digest" },
  },
  {
    when: "the environment has it for the baseline",
    args: ["--pull-secrets"],
    env: { PAWL_DIGEST_BASELINE: "running" },
    plan: { decision: "hold", hold: "same-digest" },
  },
])("pawl plan, where $when: $plan.decision", async ({ args, env = {}, plan }) => {
  const flags = ["--kubeconfig", join(folder, "kubeconfig"), "--insecure-registry", registry.host, "--json"];
  const { stdout } = await runPawl(["plan", ...flags, ...args], { env });
  expect(JSON.parse(stdout)).toMatchObject([{ workload: "deployment/shop/news", ...plan }]);
});

test("what is neither is refused", async () => {
  const { stderr, status } = await runPawl(["local", "--digest-pull-policy", "never"]);
  expect(status).toBe(2);
  expect(stderr).toContain("Allowed choices are keep, always");
});

function dockerConfig() {
  const auth = Buffer.from(`${login.username}:${login.password}`).toString("base64");
  const text = JSON.stringify({ auths: { [registry.host]: { auth } } });
  return { ".dockerconfigjson": Buffer.from(text).toString("base64") };
}
