import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { parse } from "yaml";
import { runPawl } from "../../cli/run-pawl.ts";
import { commandsIn } from "../../docs/commands.ts";
import { readDocument, root, sectionsOf } from "../../docs/document.ts";
import { blocksOf, normalise } from "../../docs/output.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { neverReadyAnnotation } from "../../support/control-plane/kubelet/pull.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { hasKubectl, runKubectl } from "../../support/run-kubectl.ts";
import { createSuite } from "../suite.ts";

/** What makes a cluster or installs the project. This control plane is in their place, and its registry in that of the public one. */
const outside = new Set(["npm", "kind"]);
const publicHost = "public.ecr.aws";
const section = sectionsOf(readDocument("tutorial.md"), 2).get("Ten minutes on kind") ?? "";

function expectEqual<Value>(actual: Value, expected: Value): void {
  expect(actual).toEqual(expected);
}

describeOnRealCluster("docs/tutorial/tutorial.md", () => {
  const suite = createSuite();
  let local: ChildProcess | null = null;

  beforeAll(async () => {
    const push = (tag: string, annotations = {}) => suite.registry.push("docker/library/alpine", tag, { annotations });
    for (const tag of ["3.19.0", "3.19.1", "3.21.0"]) await push(tag);
    await push("3.20.0", { [neverReadyAnnotation]: "true" });
  });
  afterAll(async () => {
    if (local !== null && local.exitCode === null) {
      const ended = once(local, "exit");
      local.kill("SIGINT");
      await ended;
    }
    if (hasKubectl()) await runKubectl(["delete", "namespace", "tutorial", "--wait=false"]);
  });

  /** Runs a command of the page, and returns what it prints. */
  async function run(program: string, args: readonly string[]): Promise<string> {
    const { host } = suite.registry;
    if (program === "kubectl") {
      const file = args.find((arg) => arg.endsWith(".yaml"));
      const object = file && (parse(readFileSync(join(root, file), "utf8").replaceAll(publicHost, host)) as object);
      // Suites share the CRDs.
      const own = args.includes("-k") ? [...args, "--dry-run=server"] : args.map((arg) => (arg === file ? "-" : arg));
      const { code, stdout, stderr } = await runKubectl(own, object || undefined);
      expectEqual({ args, code, stderr: stderr.replace(/^Warning: .*\n/gm, "") }, { args, code: 0, stderr: "" });
      return stdout;
    }
    expect(program).toBe("pawl");
    const env = { KUBECONFIG: inject("kubeconfig") ?? "", PAWL_INSECURE_REGISTRIES: host };
    if (args[0] !== "local") return (await runPawl(args, { env })).stdout;
    const speed = ["--clock-speed", "20", "--clock-start", new Date().toISOString()];
    const command = [join(root, "cli", "pawl.ts"), ...args, ...speed];
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
            return !isRead || normalise(last.printed) === normalise(body);
          }).catch(() => undefined);
          expectEqual(normalise(last.printed), normalise(body));
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
