import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { KubeConfig, KubernetesObjectApi } from "@kubernetes/client-node";
import { rawRequest } from "../contracts/kubernetes-api/raw-request.ts";
import { freePorts } from "../support/control-plane/ports.ts";
import { startControlPlane } from "../support/control-plane.ts";
import { installCrd } from "../support/crds/install.ts";
import { createCertificate } from "../support/real/certificate.ts";
import { clientSecret, startIssuer } from "../support/real/issuer.ts";

/** Who may do what: Alice edits staging and reads production; Bob reads staging. */
const rights = {
  staging: { alice: "edit", bob: "read" },
  production: { alice: "read" },
} as const;

type ClusterName = keyof typeof rights;
const names = Object.keys(rights) as readonly ClusterName[];

/** The audience of ID tokens for each cluster, which is a client of the issuer. */
export const audiences = { staging: "page-staging", production: "page-production" } as const;

const autoUpdate = "/apis/pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-web";
const workload = "/apis/apps/v1/namespaces/shop/deployments/web";

/** Starts an issuer, two real API servers that trust it, each for its own audience, and the page as the image starts it. */
export async function startTeamPage() {
  const stack = new AsyncDisposableStack();
  try {
    const folder = stack.adopt(await mkdtemp(join(tmpdir(), "pawl-team-")), (path) => rm(path, { recursive: true }));
    const certificate = createCertificate();
    const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem"), secret: join(folder, "secret") };
    await writeFile(files.cert, certificate.cert);
    await writeFile(files.key, certificate.key);
    await writeFile(files.secret, `${clientSecret}\n`);
    const [pagePort = 0, issuerPort = 0] = await freePorts(2);
    const url = `https://127.0.0.1:${pagePort}`;
    const clients = Object.fromEntries(names.map((name) => [audiences[name], `${url}/callback/${name}`]));
    const issuer = stack.adopt(await startIssuer({ port: issuerPort, certificate, clients }), (one) => one.close());
    const clusters = await Promise.all(
      names.map(async (name) => {
        const cluster = await startCluster(name, issuer.url, files.cert);
        stack.defer(cluster.stop);
        await writeFile(join(folder, `${name}.crt`), cluster.authority);
        return [name, cluster] as const;
      }),
    );
    const config = {
      url,
      address: "127.0.0.1",
      port: pagePort,
      tls: { certificateFile: "cert.pem", keyFile: "key.pem" },
      logins: names.map((name) => ({
        name,
        issuer: issuer.url,
        clientId: audiences[name],
        clientSecretFile: "secret",
        scope: "openid email offline_access",
        parameters: { prompt: "consent" },
      })),
      clusters: clusters.map(([name, { server }]) => ({
        name,
        server,
        certificateAuthorityFile: `${name}.crt`,
        login: name,
        allowActions: name === "staging",
      })),
    };
    await writeFile(join(folder, "team-page.yaml"), JSON.stringify(config));
    const page = await startPage(join(folder, "team-page.yaml"), files.cert);
    stack.defer(() => stopPage(page.child));
    const owned = stack.move();
    return {
      url,
      issuer,
      log: page.log,
      clusters: Object.fromEntries(clusters) as Record<ClusterName, (typeof clusters)[number][1]>,
      close: () => owned.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function startCluster(name: ClusterName, issuer: string, issuerAuthority: string) {
  const plane = await startControlPlane({
    controllers: false,
    apiServer: [
      `--oidc-issuer-url=${issuer}`,
      `--oidc-client-id=${audiences[name]}`,
      `--oidc-ca-file=${issuerAuthority}`,
      "--oidc-username-claim=email",
    ],
  });
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(plane.kubeconfig);
  await installCrd(kubeConfig, "auto-update");
  const objects = KubernetesObjectApi.makeApiClient(kubeConfig);
  for (const object of objectsOf(name)) await objects.create(object);
  const server = plane.url;
  return {
    server,
    /** Of the admin. */
    kubeConfig,
    authority: Buffer.from(kubeConfig.getCurrentCluster()?.caData ?? "", "base64"),
    stop: plane.stop,
    /** Returns the status of the answer to a request with `token`. */
    async readAs(token: string) {
      const asToken = new KubeConfig();
      const { clusters, contexts, currentContext } = kubeConfig;
      asToken.loadFromOptions({
        clusters,
        contexts,
        currentContext,
        users: [{ name: "admin", token }],
      });
      return (await rawRequest(asToken, "GET", workload, {})).code;
    },
    async readObjects() {
      const read = async (path: string) => JSON.parse((await rawRequest(kubeConfig, "GET", path, {})).text) as object;
      return { deployment: await read(workload), autoUpdate: await read(autoUpdate) };
    },
  };
}

function objectsOf(name: ClusterName) {
  const rbac = "rbac.authorization.k8s.io/v1";
  const read = ["get", "list", "watch"];
  const role = (roleName: string, verbs: readonly string[]) => ({
    apiVersion: rbac,
    kind: "ClusterRole",
    metadata: { name: `test-${roleName}` },
    rules: [
      { apiGroups: [""], resources: ["pods", "events"], verbs: read },
      { apiGroups: ["apps", "batch", "pawl.dev"], resources: ["*"], verbs },
    ],
  });
  const bindings = Object.entries(rights[name]).map(([user, right]) => ({
    apiVersion: rbac,
    kind: "ClusterRoleBinding",
    metadata: { name: `test-${user}` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: `test-${right}` },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: `${user}@example.com` }],
  }));
  const labels = { app: "web" };
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop", annotations: { "pawl.dev/auto-update": "true" } },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "example.com/shop/web:1.0.0" }] } },
    },
  };
  const record = {
    apiVersion: "pawl.dev/v1alpha1",
    kind: "AutoUpdate",
    metadata: { name: "deployment-web", namespace: "shop", labels: { "app.kubernetes.io/managed-by": "pawl" } },
    spec: { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
  };
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  return [
    role("read", read),
    role("edit", [...read, "create", "patch", "update"]),
    ...bindings,
    namespace,
    deployment,
    record,
  ];
}

/** The entry point of the image. */
const pawl = fileURLToPath(new URL("../../cli/pawl.ts", import.meta.url));

async function startPage(config: string, authority: string) {
  const child = spawn(process.execPath, [pawl, "team-page", "--config", config], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: authority },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => log.push(text));
  createInterface({ input: child.stdout }).on("line", (line) => {
    log.push(line);
    if (line.includes("listening on")) resolve();
  });
  child.once("close", () => reject(new Error(`the page ended:\n${log.join("\n")}`)));
  await promise;
  return { child, log };
}

async function stopPage(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "close");
}
