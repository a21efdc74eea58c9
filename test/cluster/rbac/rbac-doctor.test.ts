import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RbacAuthorizationV1Api } from "@kubernetes/client-node";
import { expect, inject, onTestFinished, test } from "vitest";
import type { CheckReport } from "../../../cli/doctor/check.ts";
import { runPawl } from "../../cli/run-pawl.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { policiesUnsupportedReason } from "../../infra/cluster/pawl-groups.ts";
import { installPawl } from "./rbac-harness.ts";

const secretArn = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:prod-a1B2c3";

describeOnRealCluster("pawl doctor", () => {
  async function run(cluster: object, command: readonly string[]) {
    const directory = await mkdtemp(join(tmpdir(), "pawl-doctor-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const file = join(directory, "pawl.json");
    await writeFile(file, JSON.stringify({ clusters: [{ name: "prod", kubeconfig: { secretArn }, ...cluster }] }));
    const args = [...command, "--file", file, "--kubeconfig", inject("kubeconfig") ?? "", "--json"];
    const env = { AWS_REGION: "eu-west-1", AWS_EC2_METADATA_DISABLED: "true", HOME: directory };
    const { stdout } = await runPawl(args, { env });
    return JSON.parse(stdout) as unknown;
  }

  async function doctor(cluster: object) {
    const reports = (await run(cluster, ["doctor"])) as readonly CheckReport[];
    return (name: string) => reports.find(({ check }) => check === name);
  }

  test("finds what is applied, and what is missing", async () => {
    const { admin, remove } = await installPawl("doctor", ["auto-update", "stateful-canary"]);
    onTestFinished(remove);
    const find = await doctor({});
    const policies = (await policiesUnsupportedReason(admin)) === null ? ["admission policies"] : [];
    for (const check of ["cluster", "custom resources", "permissions", ...policies])
      expect(find(check)).toEqual({ check, result: "passed", detail: expect.any(String) });

    await admin.makeApiClient(RbacAuthorizationV1Api).deleteClusterRoleBinding({ name: "pawl:updaters" });
    const findLater = await doctor({ releases: true });
    const { detail, ...permissions } = findLater("permissions")!;
    expect(permissions).toMatchObject({
      result: "failed",
      fix: "kubectl apply -k infra/cluster; kubectl apply -k infra/cluster/releases",
    });
    const { steps } = (await run({ releases: true }, ["upgrade", "--plan"])) as { steps: readonly string[] };
    expect(steps.slice(0, 2)).toEqual(["kubectl apply -k infra/cluster", "kubectl apply -k infra/cluster/releases"]);
    expect(detail).toMatch(/^pawl:updaters may not get deployments; .* and \d+ more$/);
  });
});
