import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { policyFields } from "../../../functions/domain/workload/policy/policy-table.ts";
import { hasKubectl, runKubectl } from "../../support/run-kubectl.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import { createSuite } from "../suite.ts";
import { openAutoUpdateHarness, targetRef } from "./auto-update-harness.ts";

const name = "deployment-web";
const optedIn = { [annotations.autoUpdate]: "true" };

describeOnRealCluster("an AutoUpdate with kubectl", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
  });

  const image = (tag: string) => `${suite.registry.host}/shop/good:${tag}`;
  const wait = (namespace: string, type: string, seconds: number) =>
    runKubectl(["wait", "-n", namespace, `--for=condition=${type}`, `autoupdate/${name}`, `--timeout=${seconds}s`]);

  describe.skipIf(!hasKubectl()).concurrent("of this version of Kubernetes", () => {
    test("explain describes every setting", async ({ expect }) => {
      const { code, stdout, stderr } = await runKubectl(["explain", "autoupdate.spec.policy"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/^KIND: +AutoUpdate$/m);
      // The path of the opt-in is that of the policy itself.
      const settings = policyFields.flatMap(([, { path }]) => path?.split(".")[0] || []);
      for (const setting of settings) expect(stdout).toMatch(new RegExp(`^  ${setting}\\s*<`, "m"));
      const { stdout: short } = await runKubectl(["explain", "au.status.update.observedAt"]);
      expect(short).toMatch(/^FIELD: observedAt <string>$/m);
    });

    test("wait ends when an update is complete, and not before a changed policy was observed", async ({ expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const { namespace } = harness;
      const pawl = await harness.startPawl();
      await harness.createPlain("Deployment", "web", image("1.0.0"));
      await harness.write(name, { policy: {} });
      const waiting = wait(namespace, "Ready", 60);
      await harness.settle(pawl);
      const met = { code: 0, stdout: `autoupdate.pawl.dev/${name} condition met\n`, stderr: "" };
      expect(await waiting).toEqual(met);
      expect((await harness.deployment("web")).image).toBe(image("1.1.0"));

      await harness.edit(name, { spec: { policy: { versionConstraint: "not a constraint" } } });
      expect(await wait(namespace, "Ready", 1)).toMatchObject({ code: 1, stdout: "" });
      const stalled = wait(namespace, "Stalled", 60);
      await harness.settle(pawl);
      expect(await stalled).toEqual(met);
      expect(await wait(namespace, "Ready", 1)).toMatchObject({ code: 1, stdout: "" });
    });

    test("server-side apply of its owner and the status of Pawl do not conflict", async ({ expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const { namespace } = harness;
      const pawl = await harness.startPawl();
      const apply = (policy: object) =>
        runKubectl(["apply", "--server-side", "-n", namespace, "-f", "-"], {
          apiVersion: "pawl.dev/v1alpha1",
          kind: "AutoUpdate",
          metadata: { name },
          spec: { targetRef, policy },
        });
      const applied = { code: 0, stdout: `autoupdate.pawl.dev/${name} serverside-applied\n`, stderr: "" };
      await harness.createPlain("Deployment", "web", image("1.0.0"));
      expect(await apply({ versionConstraint: "~1.0", healthTimeout: "5m" })).toEqual(applied);
      await harness.settle(pawl);
      const before = await harness.read(name);
      expect(before?.status).toMatchObject({ state: "UpToDate", availableVersion: "1.1.0" });

      expect(await apply({ versionConstraint: "^1" })).toEqual(applied);
      const after = await harness.read(name);
      expect(after).toMatchObject({ spec: { targetRef, policy: { versionConstraint: "^1" } }, status: before?.status });
      expect(after?.spec.policy).not.toHaveProperty("healthTimeout");
      await harness.settle(pawl);
      expect((await harness.read(name))?.status).toMatchObject({ state: "UpToDate", currentVersion: "1.1.0" });
      expect(await apply({ versionConstraint: "^1" })).toEqual(applied);
      expect((await harness.deployment("web")).image).toBe(image("1.1.0"));
    });

    test("the owner adopts one that Pawl created, by server-side apply", async ({ expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const pawl = await harness.startPawl();
      await harness.createPlain("Deployment", "web", image("1.1.0"), optedIn);
      await harness.settle(pawl);
      const spec = { targetRef, policy: { healthTimeout: "5m" } };
      const manifest = { apiVersion: "pawl.dev/v1alpha1", kind: "AutoUpdate", metadata: { name }, spec };
      const apply = ["apply", "--server-side", "-n", harness.namespace, "-f", "-"];
      expect(await runKubectl(apply, manifest)).toMatchObject({ code: 0, stderr: "" });
      expect((await harness.read(name))?.spec).toEqual(spec);
    });
  });
});
