import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { startEmbeddedCluster } from "../../infra/local/kubernetes/cluster.ts";
import { bundleFolder } from "../support/run/bundles.ts";
import { startTeamPageImage } from "./team-page-image.ts";
import { readLoadedFiles, totalBytes } from "../support/run/loaded-files.ts";
import { install, type InstalledApp, installedBytes, pack } from "./installed-app.ts";

let app: InstalledApp;
const folder = mkdtempSync(join(tmpdir(), "pawl-package-"));

beforeAll(async () => {
  app = await install(await pack(folder), "npm");
}, 480_000);

afterAll(() => {
  app?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const imports = `import { App, Stack } from "aws-cdk-lib";
import { Pawl, PawlCluster, type PawlClusterProps } from "pawl/cdk";
`;
const body = `
const app = new App({ outdir: "cdk.out" });
const pawl = new Pawl(new Stack(app, "shared"), "Pawl", { prefix: "updates" });
const props: PawlClusterProps = { pawl, name: "production", eks: { clusterName: "production", region: "eu-central-1" } };
const cluster = new PawlCluster(new Stack(app, "production"), "Cluster", props);
app.synth();
`;
const javaScript = (text: string) => text.replaceAll(/, type \w+|: PawlClusterProps/g, "");
const asRequire = (text: string) => text.replaceAll(/import (\{.*\}) from (".*");/g, "const $1 = require($2);");

test.for([
  { layout: "npm", file: "app.cjs", program: asRequire(javaScript(imports + body)) },
  { layout: "pnpm", file: "app.mjs", program: javaScript(imports + body) },
] as const)(
  "$file is synthesised in the layout of $layout, and deploys the bundle of the package",
  { timeout: 180_000 },
  async ({ layout, file, program }) => {
    const own = layout === "npm" ? app : await install(join(folder, archive()), layout);
    onTestFinished(() => {
      if (own !== app) own.remove();
    });
    own.write(file, program);
    await own.node([file]);
    const output = join(own.folder, "cdk.out");
    const { Resources } = JSON.parse(readFileSync(join(output, "production.template.json"), "utf8")) as {
      readonly Resources: Readonly<Record<string, { readonly Properties?: { readonly Handler?: string } }>>;
    };
    const handlers = Object.values(Resources).map(({ Properties }) => Properties?.Handler);
    expect(handlers).toContain("index.checkReadiness");
    const assets = readdirSync(output).filter((name) => name.startsWith("asset.") && !name.includes(".json"));
    expect(assets.map((name) => readdirSync(join(output, name)))).toEqual([readdirSync(bundleFolder())]);
  },
);

test("its manifest names only what it imports, and its installation is small", () => {
  expect(Object.keys(app.manifest.dependencies).length).toBeLessThanOrEqual(8);
  expect(app.manifest).not.toHaveProperty("devDependencies");
  expect(app.manifest).not.toHaveProperty("scripts");
  expect(installedBytes(app)).toBeLessThan(25_000_000);
});

test("a configuration that its command writes is deployed by an app of its own", { timeout: 120_000 }, async () => {
  const secret = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:edge-a1B2c3";
  const args = ["init", "--kubeconfig-secret", secret, "--name", "edge", "--schedule", "rate(7 minutes)"];
  const { stdout } = await app.node([binary("pawl"), ...args]);
  expect(stdout).toContain("kubectl apply -k node_modules/pawl/infra/cluster\n");
  expect(stdout).toContain("This folder has no cdk.json");
  app.write(
    "stacks.mjs",
    `import { App } from "aws-cdk-lib";
import { createPawlStacks, readConfig } from "pawl/cdk";
const app = new App({ outdir: "stacks.out" });
const reading = readConfig("pawl.json");
createPawlStacks(app, reading.input);
app.synth();
`,
  );
  await app.node(["stacks.mjs"]);
  const template = readFileSync(join(app.folder, "stacks.out", "pawl-edge.template.json"), "utf8");
  expect(template).toContain("rate(7 minutes)");
});

test("its types compile strictly, and reject what the constructs reject", { timeout: 120_000 }, async () => {
  app.write(
    "app.ts",
    `${imports}
import { createPawlStacks, readConfig } from "pawl/cdk";
${body}
// @ts-expect-error there is no such setting
new PawlCluster(app, "Wrong", { ...props, eksCluster: "production" });
cluster.stateMachine.stateMachineArn.length;
const reading = readConfig("pawl.json");
if (reading.kind === "config") createPawlStacks(app, reading.input);
`,
  );
  const compiler = resolve("node_modules", "typescript", "bin", "tsc");
  const types = ["--module", "nodenext", "--target", "es2024", "--strict", "--skipLibCheck", "--types", ""];
  const { stdout } = await app
    .node([compiler, "--noEmit", ...types, "app.ts"])
    .catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
});

test.for(["pawl", "kubectl-pawl"])("%s shows the workloads of a cluster", { timeout: 60_000 }, async (name) => {
  await using cluster = await openCluster();
  const args = [binary(name), "status", "--kubeconfig", cluster.kubeconfig, "--json"];
  const { stdout } = await app.node(args);
  expect(JSON.parse(stdout)).toMatchObject([{ workload: "deployment/shop/web" }]);
});

/** Without the clients of Kubernetes, of AWS and of HTTP, which are three times as large. */
const maxBytesForHelp = 800_000;

test("a command loads what it needs", { timeout: 60_000 }, async () => {
  const bytes = async (...args: readonly string[]) => {
    const NODE_V8_COVERAGE = join(app.folder, `loaded-${args.join("-")}`);
    mkdirSync(NODE_V8_COVERAGE);
    await app.node([binary("pawl"), ...args], { NODE_V8_COVERAGE });
    return totalBytes(readLoadedFiles(NODE_V8_COVERAGE, app.package));
  };
  expect(await bytes("--version")).toBeLessThan(150_000);
  expect(await bytes("status", "--help")).toBeLessThan(maxBytesForHelp);
});

test("its command writes templates with the code of the package", { timeout: 120_000 }, async () => {
  const { stdout } = await app.node([binary("pawl"), "template", "--json"]);
  const { templates, assets } = JSON.parse(stdout) as Readonly<Record<"templates" | "assets", readonly string[]>>;
  expect(readdirSync(join(app.folder, "template")).toSorted()).toEqual([...templates, ...assets].toSorted());
  expect(assets.filter((name) => name.endsWith(".zip"))).toHaveLength(1);
});

test("the page of its dashboard is bundled", { timeout: 60_000 }, async () => {
  await using cluster = await openCluster();
  const args = [binary("pawl"), "dashboard", "--kubeconfig", cluster.kubeconfig];
  const dashboard = spawn(process.execPath, args, { cwd: app.folder, stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(createInterface(dashboard.stdout), "line")) as [string];
    const { origin } = new URL(line.replace("Dashboard: ", ""));
    const page = await fetch(new URL("/assets/page.js", origin));
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
  } finally {
    dashboard.kill();
  }
});

test("the image of the page for a team starts from what it copies, as its own user", { timeout: 60_000 }, async () => {
  const image = await startTeamPageImage(app.package);
  try {
    expect(await image.get("/healthz")).toEqual([200, "ok\n"]);
    expect(await image.get("/")).toEqual([200, expect.stringContaining("/assets/page.js")]);
    expect((await image.get("/assets/page.js"))[0]).toBe(200);
    expect(await image.get("/api/pools")).toEqual([401, expect.stringContaining("production")]);
  } finally {
    expect(await image.stop()).toBe(0);
  }
});

test("the files that the commands and constructs read are in the package", () => {
  for (const part of ["state-machines", "infra/cluster", "infra/ssm", "infra/team-page"])
    expect(readdirSync(join(app.package, part))).toEqual(readdirSync(part));
});

test("its pages link to files that are in it", () => {
  const pages = readdirSync(app.package, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
  const links = pages.flatMap((page) =>
    [...readFileSync(join(app.package, page), "utf8").matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => ({
      page,
      link,
    })),
  );
  const absent = links.filter(({ page, link }) => {
    const [path = ""] = link.split("#");
    return !/^[a-z]+:/.test(link) && !existsSync(join(app.package, dirname(page), path));
  });
  expect(links.length).toBeGreaterThan(500);
  expect(absent).toEqual([]);
});

function archive(): string {
  return readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
}

test("the manifest of krew names the command of the package, and kubectl its completion", async () => {
  const template = readFileSync(resolve("infra", "krew", "pawl.yaml"), "utf8");
  const [uri, sha256] = ["https://example.com/pawl.tgz", "0".repeat(64)];
  const manifest = parse(template.replace(/\{\{addURIAndSha.*\}\}/, `uri: ${uri}\n      sha256: "${sha256}"`)) as {
    readonly spec: { readonly platforms: readonly object[] };
  };
  const [platform, ...others] = manifest.spec.platforms;
  expect(others).toEqual([]);
  expect(platform).toMatchObject({ uri, sha256, files: [{ from: "package/*", to: "." }] });
  expect((platform as { readonly bin: string }).bin).toBe(app.manifest.bin["kubectl-pawl"]);
  const { stdout } = await app.node([binary("kubectl_complete-pawl"), "sta"]);
  expect(stdout).toBe("status\n:4\n");
});

function binary(name: string): string {
  return join(app.package, app.manifest.bin[name] ?? "");
}

async function openCluster() {
  const web = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", annotations: { "pawl.dev/auto-update": "true" } },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "app", image: "registry.example/web:1.0.0" }] },
      },
    },
  };
  const cluster = await startEmbeddedCluster({ now: () => new Date(), objects: [web] });
  const kubeconfig = join(app.folder, "kubeconfig");
  writeFileSync(kubeconfig, cluster.kubeconfig);
  return { kubeconfig, [Symbol.asyncDispose]: () => cluster.close() };
}
