import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { approvalKey } from "../../../functions/domain/gates/approval.ts";
import { nodePoolCrds } from "../../../infra/local/kubernetes/crds.ts";
import { autoUpdate, builtIn, type ClusterFixture, startClusterFixture } from "../cluster-fixture.ts";
import { proxiedKubeconfig } from "../identity-proxy.ts";
import { runPawl } from "../run-pawl.ts";

const waiting = { candidates: [{ version: "1.1.0", digest: "sha256:aa", since: "2026-11-20T12:00:00Z" }] };
const approval = { required: 1, by: ["group:releasers", "user:eve"] };

const osDigest = `sha256:${"b".repeat(64)}`;

let fixture: ClusterFixture;
beforeAll(async () => {
  fixture = await startClusterFixture({}, (registry) => [
    ...["web", "cart", "free", "new"].map((name) => builtIn("Deployment", name, `${registry}/shop/web:1.0.0`)),
    ...["web", "cart"].map((name) => autoUpdate("Deployment", name, waiting, { policy: { approval } })),
    autoUpdate("Deployment", "free", waiting),
    ...nodePoolCrds(),
    {
      apiVersion: "node.bootc.dev/v1alpha1",
      kind: "BootcNodePool",
      metadata: { name: "workers" },
      spec: {
        nodeSelector: { matchLabels: { role: "worker" } },
        image: { ref: `quay.io/example/myos@${osDigest}` },
        approval,
      },
    },
  ]);
});
afterAll(() => fixture.close());

/** Runs a command as a user. */
async function run(
  args: readonly string[],
  username: string,
  groups: readonly string[] = [],
  defaults: readonly object[] = [],
) {
  const directory = await mkdtemp(join(tmpdir(), "pawl-approve-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const own = await proxiedKubeconfig(fixture.kubeconfig, directory, { username, groups });
  const config = join(directory, "pawl.json");
  const eks = { clusterName: "prod", region: "eu-west-1" };
  await writeFile(config, JSON.stringify({ clusters: [{ name: "prod", eks }], defaults }));
  return runPawl([...args, ...(defaults.length === 0 ? [] : ["-c", config])], { env: { KUBECONFIG: own } });
}

const written = async (name: string, user: string) =>
  (await fixture.annotations(`pawl.dev/v1alpha1/namespaces/shop/autoupdates/deployment-${name}`))[approvalKey(user)] ??
  "";

describe("pawl approve and reject", () => {
  test("write what each person decides, with those of the groups that may", async () => {
    const ran = await run(["approve", "shop/web", "1.1.0", "--message", "see ticket 7"], "anna", [
      "releasers",
      "staff",
    ]);
    expect(ran).toEqual({ stdout: "deployment/shop/web: approved 1.1.0@sha256:aa as anna\n", stderr: "", status: 0 });
    expect(await written("web", "anna")).toMatch(
      /^user anna\nrecord \S+\ngroup releasers\napprove 1\.1\.0@sha256:aa\nat \S+\nmessage see ticket 7$/,
    );
    expect((await run(["reject", "shop/web", "1.1.0@sha256:bb", "--json"], "eve")).status).toBe(0);
    expect(await written("web", "eve")).toMatch(/^user eve\nrecord \S+\nreject 1\.1\.0@sha256:bb\nat \S+$/);
    expect(await written("web", "anna")).toContain("approve 1.1.0");
  });

  test("takes the place of what the same person decided", async () => {
    await run(["reject", "shop/cart", "1.1.0"], "eve");
    await run(["approve", "shop/cart", "1.1.0", "--skip-age"], "eve");
    expect(await written("cart", "eve")).toMatch(/^user eve\nrecord \S+\napprove 1\.1\.0@sha256:aa\nskip-age\nat \S+$/);
  });

  test("write what a person decides about the image of a node pool", async () => {
    const version = `sha256-${"b".repeat(64)}`;
    const ran = await run(["approve", "bootcnodepool/workers", version], "eve");
    expect(ran).toMatchObject({ stdout: `bootcnodepool/workers: approved ${version}@${osDigest} as eve\n`, status: 0 });
    const annotations = await fixture.annotations("node.bootc.dev/v1alpha1/bootcnodepools/workers");
    expect(annotations[approvalKey("eve")]).toMatch(
      new RegExp(`^user eve\nrecord \\S+\napprove ${version}@${osDigest}\nat \\S+$`),
    );
  });

  test.for([
    { args: ["pool/workers", "stable"], user: "eve", problem: "stable: its digest is not known" },
    { args: ["pool/none", "stable"], user: "eve", problem: "node pool none not found; available: workers" },
    {
      args: ["shop/web", "1.1.0"],
      user: "mallory",
      problem: "mallory may not approve; these may: group:releasers, user:eve",
    },
    {
      args: ["shop/web", "1.2.0"],
      user: "eve",
      problem: "1.2.0: its digest is not known, because it does not wait for a gate; use VERSION@DIGEST",
    },
    { args: ["shop/new", "1.1.0"], user: "eve", problem: "it has no AutoUpdate yet" },
    { args: ["shop/none", "1.1.0"], user: "eve", problem: "shop/none" },
  ])("of $args by $user is refused: $problem", async ({ args, user, problem }) => {
    const ran = await run(["approve", ...args], user);
    expect(ran).toMatchObject({ stdout: "", stderr: expect.stringContaining(problem) });
    expect(ran.status).toBeGreaterThan(0);
    expect(await written("web", "mallory")).toBe("");
  });

  const defaults = [{ enforced: true, policy: { approval: { by: ["group:security"] } } }];

  test("knows who may for the deployment with -c", async () => {
    expect(await run(["approve", "shop/web", "1.1.0"], "kim", ["security"], defaults)).toMatchObject({ status: 0 });
    expect(await written("web", "kim")).toContain("\ngroup security\n");
    expect((await run(["approve", "shop/free", "1.1.0"], "zoe", ["staff"], defaults)).stderr).toContain(
      "zoe may not approve",
    );
  });

  test("without it has all groups of the person but those of Kubernetes", async () => {
    await run(["approve", "shop/free", "1.1.0"], "kim", ["security", "system:authenticated"]);
    expect(await written("free", "kim")).toMatch(/^user kim\nrecord \S+\ngroup security\napprove /);
  });
});
