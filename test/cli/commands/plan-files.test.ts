import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { manifest } from "../../support/git/manifest.ts";
import { type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";

const names = ["api", "web", "unmarked"];
let fixture: ClusterFixture;
let folder = "";
const text = (name: string, tag = "1.0.0") => manifest(name, `${fixture.registry}/shop/app:${tag}`);
const pathOf = (file: string) => join(folder, "apps", file);

beforeAll(async () => {
  fixture = await startClusterFixture({ "shop/app": ["1.0.0", "1.1.0"] }, (registry) =>
    names.map((name) => parse(manifest(name, `${registry}/shop/app:1.0.0`)) as object),
  );
  folder = await mkdtemp(join(tmpdir(), "pawl-checkout-"));
  await mkdir(join(folder, "apps"));
  await writeFile(pathOf("api.yaml"), text("api").replaceAll("\n", "\r\n"));
  await writeFile(pathOf("web.yaml"), text("web"));
  await writeFile(pathOf("README.md"), text("unmarked"));
  await symlink(pathOf("README.md"), pathOf("link.yaml"));
  execFileSync("git", ["init", "--quiet", folder]);
});
afterAll(async () => {
  await fixture.close();
  await rm(folder, { recursive: true });
});

const plan = (...args: readonly string[]) => fixture.pawl("plan", "--insecure-registry", fixture.registry, ...args);

test("pawl plan --checkout prints what a commit changes, and why another workload has none", async () => {
  const { stdout, status } = await plan("--checkout", folder);
  expect(status).toBe(0);
  const line = (name: string) =>
    `+              image: "${fixture.registry}/shop/app:1.1.0"   # {"$imagepolicy": "shop:deployment-${name}"}`;
  expect(stdout.split("\n").filter((one) => one.startsWith("+ "))).toEqual([line("api"), line("web")]);
  expect(stdout).toContain("\ndeployment/shop/unmarked: nothing would be committed: no file names");
  const start = stdout.indexOf("--- a/apps/web.yaml");
  const diff = stdout.slice(start, stdout.indexOf("\n\n", start) + 1);
  execFileSync("git", ["-C", folder, "apply", "-"], { input: diff });
  expect(await readFile(pathOf("web.yaml"), "utf8")).toBe(text("web", "1.1.0"));
  await writeFile(pathOf("web.yaml"), text("web"));
});

test("pawl plan --checkout writes no file that a person has changed, or that the configuration does not allow", async () => {
  await writeFile(pathOf("web.yaml"), text("web", "1.0.5"));
  const git = {
    name: "config",
    cluster: "prod",
    provider: "github",
    repository: "acme/deploy",
    branch: "main",
    appSecretArn: "arn:aws:secretsmanager:eu-west-1:123456789012:secret:app-a1B2c3",
    paths: ["apps/w*"],
  };
  const eks = { clusterName: "prod", region: "eu-west-1" };
  const config = join(folder, "pawl.json");
  await writeFile(config, JSON.stringify({ clusters: [{ name: "prod", eks }], git: [git] }));
  const { stdout } = await plan("--checkout", folder, "-c", config, "--json");
  const planned = JSON.parse(stdout) as readonly object[];
  const nothing = (reason: string) => ({ files: { diff: "", reason: expect.stringContaining(reason) } });
  expect(planned).toMatchObject([
    { name: "api", ...nothing("no file names") },
    { name: "unmarked", ...nothing("no file names") },
    { name: "web", ...nothing("a person's change waits to be applied") },
  ]);
});

test.for([
  { annotation: "pawl.dev/canary", problem: "excludes a canary: its pods are not in git" },
  { annotation: "image-updater.eznix86.github.io/enabled", problem: "excludes restarts by digest" },
])("pawl plan names the refusal on a workload that has $annotation too", async ({ annotation, problem }) => {
  const web = "apps/v1/namespaces/shop/deployments/web";
  await fixture.annotate(web, { [annotation]: annotation.endsWith("canary") ? "1" : "true" });
  const { stdout } = await plan("--json");
  await fixture.edit(web, { metadata: { annotations: { [annotation]: null } } });
  const message = expect.stringContaining(problem);
  const refused = { name: "web", state: "Stalled", reason: "InvalidConfiguration", message };
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining(refused));
});

test("pawl plan --checkout names a folder that does not exist", async () => {
  const { stderr, status } = await plan("--checkout", join(folder, "none"));
  expect(stderr).toMatch(/--checkout .*none: ENOENT.*; name the folder of a clone/);
  expect(status).toBe(2);
});
