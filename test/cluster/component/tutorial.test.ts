import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { runPawl } from "../../cli/run-pawl.ts";
import { commandsIn } from "../../docs/commands.ts";
import { readDocument, root, sectionsOf } from "../../docs/document.ts";
import { blocksOf, normalise } from "../../docs/output.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { neverReadyAnnotation } from "../../support/control-plane/kubelet/pull.ts";
import { startExporter } from "../../support/real/exporter.ts";
import { type RealPrometheus, startConfiguredPrometheus } from "../../support/real/real-prometheus.ts";
import { startPodDiscovery } from "../../support/real/pod-discovery.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { hasKubectl, runKubectl } from "../../support/run-kubectl.ts";
import { createSuite } from "../suite.ts";

/** What makes a cluster or installs the project. This control plane is in their place, and its registry in that of the public one. */
const outside = new Set(["npm", "kind"]);
const publicHost = "public.ecr.aws";
/** This is the address of the test's Prometheus: a pod of this control plane has no network. */
const prometheusService = "service://tutorial/prometheus:9090";
const section = sectionsOf(readDocument("tutorial.md"), 2).get("Ten minutes on kind") ?? "";

function expectEqual<Value>(actual: Value, expected: Value): void {
  expect(actual).toEqual(expected);
}

/** A clock that is faster than that of Prometheus measures before there are two samples. */
function withoutEarlyMeasurements(output: string): string {
  return normalise(output)
    .replaceAll(/^TIME \S+ error - the query returned nothing\n/gm, "")
    .replaceAll(/ ·+(?=[▁-█])/g, " ");
}

/** Reads the objects of `-f`: the images are in another registry. */
function readObjects(folder: string, host: string): readonly Manifest[] {
  const files = globSync(join(root, folder, "*.yaml")).toSorted();
  const text = files.map((file) => readFileSync(file, "utf8").replaceAll(publicHost, host)).join("\n---\n");
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** Returns the scrape configurations of the page's Prometheus, which finds the pods at `discovery`. */
function scrapeConfigs(objects: readonly Manifest[], discovery: string): readonly object[] {
  const config = objects.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === "prometheus");
  const text = config?.data?.["prometheus.yml"] ?? "";
  const { scrape_configs: scrapes } = parse(text) as { readonly scrape_configs: readonly object[] };
  const http_sd_configs = [{ url: discovery, refresh_interval: "1s" }];
  return scrapes.map((scrape) => ({ ...scrape, kubernetes_sd_configs: undefined, http_sd_configs }));
}

describeOnRealCluster("docs/tutorial/tutorial.md", () => {
  const suite = createSuite();
  const stack = new AsyncDisposableStack();
  let prometheus: RealPrometheus;
  let local: ChildProcess | null = null;

  beforeAll(async () => {
    const push = (tag: string, annotations = {}) => suite.registry.push("docker/library/alpine", tag, { annotations });
    for (const tag of ["3.19.0", "3.19.1", "3.21.0", "3.22.0"]) await push(tag);
    await push("3.20.0", { [neverReadyAnnotation]: "true" });
    const [healthy, failing] = [stack.use(await startExporter()), stack.use(await startExporter())];
    healthy.serve({ succeeded: 2, failed: 0 });
    failing.serve({ succeeded: 1, failed: 1 });
    const targetOf = (image: string) => (image.endsWith(":3.21.0") ? failing.target : healthy.target);
    const discovery = stack.use(await startPodDiscovery(realKubeConfig(), "tutorial", targetOf));
    const objects = readObjects("examples/tutorial", publicHost);
    prometheus = stack.use(await startConfiguredPrometheus(scrapeConfigs(objects, discovery.url)));
  });
  afterAll(async () => {
    if (local !== null && local.exitCode === null) {
      const ended = once(local, "exit");
      local.kill("SIGINT");
      await ended;
    }
    await stack.disposeAsync();
    if (hasKubectl()) await runKubectl(["delete", "namespace", "tutorial", "--wait=false"]);
  });

  /** The clock of Prometheus is not faster: 30 seconds ago there was another canary. */
  async function hasForgotten(): Promise<boolean> {
    const query = encodeURIComponent(`rate(http_requests_total{pod=~"web-canary-.*"}[30s])`);
    const response = await fetch(`${prometheus.url}/api/v1/query?query=${query}`);
    const { data } = (await response.json()) as { readonly data: { readonly result: readonly unknown[] } };
    return data.result.length === 0;
  }

  /** Runs a command of the page, and returns what it prints. */
  async function run(program: string, args: readonly string[]): Promise<string> {
    const { host } = suite.registry;
    if (program === "kubectl") {
      if (args.includes("annotate")) await eventually("no canary is measured any more", hasForgotten);
      const folder = args.find((_, index) => args[index - 1] === "-f");
      const list = folder && { kind: "List", apiVersion: "v1", items: readObjects(folder, host) };
      // Suites share the CRDs.
      const own = args.includes("-k") ? [...args, "--dry-run=server"] : args.map((arg) => (arg === folder ? "-" : arg));
      const { code, stdout, stderr } = await runKubectl(own, list || undefined);
      expectEqual({ args, code, stderr: stderr.replace(/^Warning: .*\n/gm, "") }, { args, code: 0, stderr: "" });
      return stdout;
    }
    expect(program).toBe("pawl");
    const env = { KUBECONFIG: inject("kubeconfig") ?? "", PAWL_INSECURE_REGISTRIES: host };
    if (args[0] !== "local") return (await runPawl(args, { env })).stdout;
    const speed = ["--clock-speed", "20", "--clock-start", new Date().toISOString()];
    const own = args.map((arg) => (arg === prometheusService ? prometheus.url : arg));
    const command = [join(root, "cli", "pawl.ts"), ...own, ...speed];
    local = spawn(process.execPath, command, { env: { PATH: process.env["PATH"], ...env }, stdio: "ignore" });
    return "";
  }

  describe.skipIf(!hasKubectl())("with the kubectl of this version of Kubernetes", () => {
    test("each command prints what the page shows", async () => {
      let last = { program: "", args: [] as readonly string[], printed: "" };
      let compared = 0;
      for (const { language, body } of blocksOf(section)) {
        if (language === "text") {
          // The page says how long it takes; a command that only reads is repeated until then.
          const { program, args } = last;
          const isRead = ["status", "history", "get"].includes(args[0] ?? "");
          await eventually(`${args.join(" ")} prints what the page shows`, async () => {
            if (isRead) last.printed = await run(program, args);
            return !isRead || withoutEarlyMeasurements(last.printed) === normalise(body);
          }).catch(() => undefined);
          expectEqual(withoutEarlyMeasurements(last.printed), normalise(body));
          compared += 1;
          continue;
        }
        for (const { program, args } of commandsIn(body).filter((one) => !outside.has(one.program)))
          last = { program, args, printed: await run(program, args) };
      }
      expect(compared).toBeGreaterThan(6);
    });
  });
});
