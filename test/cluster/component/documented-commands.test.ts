import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  PatchStrategy,
  RbacAuthorizationV1Api,
  setHeaderOptions,
} from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hashRelease } from "../../../functions/adapters/kubernetes/kinds/pod-template/pod-template.ts";
import type { TemplateSnapshot } from "../../../functions/domain/workload/release/release.ts";
import { runPawl } from "../../cli/run-pawl.ts";
import { commandsOf } from "../../docs/commands.ts";
import { documents } from "../../docs/document.ts";
import { admitsPods } from "../../support/control-plane/readiness.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";

/** The namespace, the workload and the contexts of the documentation. */
const namespace = "shop";
const name = "web";
const contexts = ["staging", "production", "CONTEXT"];
const at = "2026-11-20T12:00:00Z";
const image = (version: string) => `registry.invalid/shop/web:${version}`;

/** Those that neither wait for a poll nor run on. */
const runnable = new Set("status explain history plan releases diff pools pause resume promote abort".split(" "));
// The tutorial has a test of its own, whose canary they would promote.
const commands = documents
  .filter((page) => page !== "docs/tutorial/tutorial.md")
  .flatMap(commandsOf)
  .filter(({ program, args: [verb = "", ...rest], isMention }) => {
    // A mention may lack the value of its option, or its workload.
    const isIncomplete = isMention && (rest.at(-1)?.startsWith("--") ?? true);
    const isUsage = rest.some((word) => /[[\]…]|^(WORKLOAD|NAME|NAMESPACE.*|.*POOL)$|--watch/.test(word));
    return program === "pawl" && runnable.has(verb) && !isUsage && !isIncomplete;
  })
  .map(({ args }) => args.join(" ").replace("FOLDER", "infra/cluster"));

describeOnRealCluster("documented commands on a real API server", () => {
  let directory: string;
  let admin: KubeConfig;
  let core: CoreV1Api;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "pawl-commands-"));
    admin = realKubeConfig();
    core = admin.makeApiClient(CoreV1Api);
    await core.createNamespace({ body: { metadata: { name: namespace } } });
    await eventually("pods are admitted", () => admitsPods(core, namespace));
    await createReleased(admin);
    await writeFile(join(directory, "admin"), withContexts(admin));
    await writeFile(join(directory, "viewer"), withContexts(await createViewer(admin)));
  });
  afterAll(async () => {
    await core?.deleteNamespace({ name: namespace });
    if (directory !== undefined) await rm(directory, { recursive: true });
  });

  const pawl = (user: "admin" | "viewer", args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runPawl(args, { env: { KUBECONFIG: join(directory, user), ...env } });

  test.for([...new Set(commands)])("pawl %s", async (command) => {
    // Other suites have workloads of their own at the same time.
    const scope = command.includes("-n ") ? {} : { PAWL_NAMESPACES: namespace };
    const { stderr, status } = await pawl("admin", command.split(" "), scope);
    expect({ stderr, isAnswered: status === 0 || status === 1 }).toEqual({ stderr, isAnswered: true });
  });

  describe("a user with rights in one namespace only", () => {
    test.for([
      ["status", "shop/web"],
      ["status", "-n", "shop", "web"],
      ["status", "deployment", "web", "-n", "shop"],
      ["history", "shop/web"],
      ["explain", "shop/web"],
      ["diff", "shop/web", "1", "4"],
    ])("needs no list of all namespaces: %s", async (args) => {
      expect(await pawl("viewer", args)).toMatchObject({
        stderr: "",
        status: 0,
        stdout: expect.stringContaining("1."),
      });
    });

    test("sees in one line what it may not list", async () => {
      const { stdout, stderr, status } = await pawl("viewer", ["status", "-n", "shop"]);
      expect({ status, rows: stdout.trimEnd().split("\n").length }).toEqual({ status: 0, rows: 2 });
      expect(stderr).toMatch(
        /^pawl: \S+:viewer may not list .*statefulsets\.apps in namespace shop: these are not shown\npawl: 1 workload: 1 [A-Za-z]+\n$/,
      );
    });

    test("reads of the option -n", async () => {
      expect((await pawl("viewer", ["status"])).stderr).toMatch(
        /^pawl: .*; use -n NAMESPACE for one of yours; .*users\.yaml [^\n]*\n$/,
      );
    });
  });
});

/** Creates a workload with an AutoUpdate that records two updates and two releases. */
async function createReleased(admin: KubeConfig): Promise<void> {
  const apps = admin.makeApiClient(AppsV1Api);
  const labels = { app: name };
  const template = (version: string) => ({
    metadata: { labels },
    spec: { containers: [{ name: "app", image: image(version) }] },
  });
  const metadata = { name, annotations: { "pawl.dev/auto-update": "true", "pawl.dev/version-constraint": "^1" } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template: template("1.0.0") };
  await apps.createNamespacedDeployment({ namespace, body: { metadata, spec } });
  const sets = () => apps.listNamespacedReplicaSet({ namespace });
  await eventually("the first ReplicaSet exists", async () => (await sets()).items.length === 1);
  const merge = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
  await apps.patchNamespacedDeployment({ namespace, name, body: { spec: { template: template("1.1.0") } } }, merge);
  await eventually("the second ReplicaSet exists", async () => (await sets()).items.length === 2);
  const objects = admin.makeApiClient(CustomObjectsApi);
  const api = { group: "apps", version: "v1", namespace, plural: "replicasets" };
  const { items } = (await objects.listNamespacedCustomObject(api)) as {
    items: readonly { metadata: { name: string }; spec: { template: TemplateSnapshot } }[];
  };
  const release = (number: number, version: string) => {
    const set = items.find((one) => one.spec.template.spec.containers[0]?.image === image(version));
    if (set === undefined) throw new Error(`no ReplicaSet of ${version}`);
    const hash = hashRelease(set.spec.template);
    const entry = { number, version, image: image(version), hash, revision: set.metadata.name };
    return { ...entry, by: "pawl", result: "Succeeded", at };
  };
  const updates = { group: "pawl.dev", version: "v1alpha1", namespace, plural: "autoupdates" };
  const targetRef = { apiVersion: "apps/v1", kind: "Deployment", name };
  const own = { name: `deployment-${name}`, labels: { "app.kubernetes.io/managed-by": "pawl" } };
  const body = { apiVersion: "pawl.dev/v1alpha1", kind: "AutoUpdate", metadata: own, spec: { targetRef } };
  await objects.createNamespacedCustomObject({ ...updates, body });
  const history = [{ version: "1.1.0", result: "Healthy", startedAt: at, image: image("1.1.0") }];
  const status = { currentVersion: "1.1.0", history, releases: [release(1, "1.0.0"), release(4, "1.1.0")] };
  await objects.patchNamespacedCustomObjectStatus(
    { ...updates, name: own.name, body: { status } },
    setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
  );
}

/** Creates a ServiceAccount that may read Deployments of one namespace, and returns its kubeconfig. */
async function createViewer(admin: KubeConfig): Promise<KubeConfig> {
  const user = "viewer";
  const core = admin.makeApiClient(CoreV1Api);
  const rbac = admin.makeApiClient(RbacAuthorizationV1Api);
  const verbs = ["get", "list", "watch"];
  const rules = [
    { apiGroups: ["apps"], resources: ["deployments", "replicasets"], verbs },
    { apiGroups: ["pawl.dev"], resources: ["autoupdates"], verbs },
  ];
  await core.createNamespacedServiceAccount({ namespace, body: { metadata: { name: user } } });
  await rbac.createNamespacedRole({ namespace, body: { metadata: { name: user }, rules } });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: user };
  const subjects = [{ kind: "ServiceAccount", name: user, namespace }];
  await rbac.createNamespacedRoleBinding({ namespace, body: { metadata: { name: user }, roleRef, subjects } });
  const { status } = await core.createNamespacedServiceAccountToken({
    namespace,
    name: user,
    body: { spec: { audiences: [] } },
  });
  const viewer = new KubeConfig();
  viewer.loadFromClusterAndUser(admin.getCurrentCluster()!, { name: user, token: status?.token ?? "" });
  return viewer;
}

/** Returns a kubeconfig with the contexts of the documentation, all of this cluster. */
function withContexts(kubeConfig: KubeConfig): string {
  const cluster = kubeConfig.getCurrentCluster()!;
  const user = kubeConfig.getCurrentUser()!;
  const context = { cluster: cluster.name, user: user.name };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": contexts[0],
    clusters: [
      { name: cluster.name, cluster: { server: cluster.server, "certificate-authority-data": cluster.caData } },
    ],
    users: [{ name: user.name, user: { token: user.token } }],
    contexts: contexts.map((one) => ({ name: one, context })),
  });
}
