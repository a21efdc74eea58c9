import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { kubeConfigAt, ok, startScriptedServer } from "../../adapters/kubernetes/api/scripted-server.ts";
import { runPawl } from "../run-pawl.ts";

// The commands are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const denied =
  'claws.claw.prismer.ai is forbidden: User "jane" cannot list resource "claws" in API group "claw.prismer.ai" at the cluster scope';
const said = "pawl: jane may not list claws.claw.prismer.ai in all namespaces: these are not shown\n";

test.for([
  { when: "the cluster has no Claws", groups: ["apps", "pawl.dev"], stderr: "" },
  { when: "it has Claws", groups: ["apps", "pawl.dev", "claw.prismer.ai"], stderr: said },
  { when: "discovery fails", groups: null, stderr: said },
])("a user who may not list Claws, if $when", async ({ groups, stderr }) => {
  await using server = await startScriptedServer(({ path }) => {
    if (path.startsWith("/apis/claw.prismer.ai/"))
      return { code: 403, body: { kind: "Status", apiVersion: "v1", metadata: {}, code: 403, message: denied } };
    if (!/^\/apis\/?$/.test(path)) return ok({ metadata: {}, items: [] });
    if (groups === null) return { code: 500, body: "down" };
    const list = groups.map((name) => ({ name, versions: [] }));
    return ok({ kind: "APIGroupList", apiVersion: "v1", groups: list });
  });
  const directory = await mkdtemp(join(tmpdir(), "pawl-cli-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "kubeconfig"), kubeConfigAt(server.url).exportConfig());
  const ran = await runPawl(["status", "--kubeconfig", join(directory, "kubeconfig"), "-o", "name"]);
  expect(ran).toEqual({ stdout: "", stderr, status: 0 });
});
