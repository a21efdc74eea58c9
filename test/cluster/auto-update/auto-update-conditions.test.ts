import { beforeAll, describe, test } from "vitest";
import { annotations } from "../../../functions/domain/workload/policy/annotations.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import { openAutoUpdateHarness } from "./auto-update-harness.ts";
import { createSuite } from "../suite.ts";

const name = "deployment-web";
const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io";

interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

describeOnRealCluster("what people and tools read of an AutoUpdate", () => {
  const suite = createSuite();

  beforeAll(async () => {
    await suite.registry.pushImage("shop/good", ["1.0.0", "1.1.0"]);
    await suite.registry.pushImage("shop/bad", ["1.0.0", "1.1.0-bad"]);
  });

  function image(tag: string, repository = "good"): string {
    return `${suite.registry.host}/shop/${repository}:${tag}`;
  }

  /** Returns the rows of `kubectl get au -o wide`, without the age. */
  async function rowsOf(namespace: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const path = `/apis/pawl.dev/v1alpha1/namespaces/${namespace}/autoupdates`;
    const { text } = await rawRequest(realKubeConfig(), "GET", path, { accept: asTable });
    const { columnDefinitions, rows } = JSON.parse(text) as Table;
    const names = columnDefinitions.map((column) => column.name.toUpperCase());
    return rows.map(({ cells }) => {
      const { AGE: _age, ...row } = Object.fromEntries(names.map((column, at) => [column, cells[at]]));
      return row;
    });
  }

  test("discovery has the short name and the category", async ({ expect }) => {
    const { body } = await rawRequest(realKubeConfig(), "GET", "/apis/pawl.dev/v1alpha1", {});
    expect(body.resources).toContainEqual(
      expect.objectContaining({ name: "autoupdates", shortNames: ["au"], categories: ["pawl"], namespaced: true }),
    );
    expect(body.resources).toContainEqual(expect.objectContaining({ name: "autoupdates/status" }));
  });

  describe.concurrent("in a namespace of its own", () => {
    test("an update that succeeds: Ready is False while it is in flight, and True after it", async ({ expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      await harness.createPlain("Deployment", "web", image("1.0.0"));
      await harness.write(name, { policy: {} });
      expect(await harness.condition(name, "Ready")).toBeNull();
      const pawl = await harness.startPawl();
      await pawl.poll();
      await eventually("it is applied", async () => (await harness.read(name))?.status?.update?.phase === "Applied");
      const updating = { reason: "Updating", message: "updating to 1.1.0" };
      expect(await harness.condition(name, "Ready")).toEqual({ status: "False", ...updating });
      expect(await harness.condition(name, "Reconciling")).toEqual({ status: "True", ...updating });
      expect(await rowsOf(harness.namespace)).toMatchObject([{ STATE: "Updating", AVAILABLE: "1.1.0" }]);
      await eventually("kubectl wait returns", async () => (await harness.condition(name, "Ready"))?.status === "True");
      const { status, metadata } = (await harness.read(name)) ?? {};
      expect(status?.conditions?.map(({ type }) => type)).toEqual(["Ready"]);
      expect(status?.observedGeneration).toBe(metadata?.generation);
      expect((await harness.workload("web")).rollout).toMatchObject({ updatedReplicas: 3, readyReplicas: 3 });
    });

    test("a policy that changes: Ready counts again after the next poll only", async ({ expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const pawl = await harness.startPawl();
      await harness.createPlain("Deployment", "web", image("1.1.0"));
      await harness.write(name, { policy: {} });
      await harness.settle(pawl);
      expect(await harness.condition(name, "Ready")).toMatchObject({ status: "True" });
      await harness.edit(name, { spec: { policy: { versionConstraint: "not a constraint" } } });
      expect(await harness.condition(name, "Ready")).toBeNull();
      await harness.settle(pawl);
      const message = expect.stringMatching(/spec\.policy\.versionConstraint.*not a constraint/);
      const expected = { reason: "InvalidConfiguration", message };
      expect(await harness.condition(name, "Ready")).toEqual({ status: "False", ...expected });
      expect(await harness.condition(name, "Stalled")).toEqual({ status: "True", ...expected });
      await harness.edit(name, { spec: { policy: { versionConstraint: "^1" } } });
      await harness.settle(pawl);
      expect(await harness.condition(name, "Ready")).toMatchObject({ status: "True" });
      expect(await harness.condition(name, "Stalled")).toBeNull();
    });

    test("repeated rollbacks: the open circuit is Stalled, and kubectl get shows it", async ({ expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const pawl = await harness.startPawl();
      await suite.registry.pushImage("shop/held", ["1.0.0", "1.1.0-bad"]);
      await harness.createPlain("Deployment", "web", image("1.0.0", "held"));
      await harness.write(name, {
        policy: { versionConstraint: ">=1.0.0-0", versioning: "semver", healthTimeout: "6m", maxRollbacks: 1 },
      });
      await harness.settle(pawl);
      await suite.registry.pushImage("shop/held", ["1.2.0"]);
      await harness.settle(pawl, 2);
      expect((await harness.deployment("web")).image).toBe(image("1.0.0", "held"));
      const stalled = await harness.condition(name, "Stalled");
      expect(stalled).toMatchObject({ status: "True", reason: "CircuitOpen" });
      expect(await harness.condition(name, "Ready")).toEqual({ ...stalled, status: "False" });
      const after = (await harness.read(name))?.status;
      const message = "the circuit is open: version 1.2.0 is available but not applied";
      expect(after?.gates).toEqual([
        { name: "circuit", reason: "CircuitOpen", message, since: expect.any(String), liftedBy: "pawl reset" },
      ]);
      expect(after?.history).toMatchObject([
        { version: "1.1.0-bad", result: "RolledBack", reason: expect.stringMatching(/./) },
      ]);
      expect(await rowsOf(harness.namespace)).toEqual([
        {
          NAME: name,
          STATE: "CircuitOpen",
          CURRENT: "1.0.0",
          AVAILABLE: "1.2.0",
          MESSAGE: expect.stringMatching(/^1 failed attempt opened the circuit/),
          TARGET: "web",
          REASON: "CircuitOpen",
          CANDIDATE: "1.2.0",
          SUSPENDED: null,
        },
      ]);
    });

    test("a request is answered once, and a replay does nothing", async ({ expect }) => {
      const harness = await openAutoUpdateHarness(suite);
      const pawl = await harness.startPawl();
      await harness.createPlain("Deployment", "web", image("1.0.0", "bad"));
      // Six seconds of real time: a restored pod has to become ready within it, also on a busy machine.
      await harness.write(name, {
        policy: { versionConstraint: ">=1.0.0-0", versioning: "semver", healthTimeout: "6m", maxRollbacks: 1 },
      });
      await harness.settle(pawl);
      await harness.edit(name, { metadata: { annotations: { [annotations.request]: "reset 42" } } });
      await harness.settle(pawl);
      const { status, metadata } = (await harness.read(name)) ?? {};
      expect(status).toMatchObject({
        lastRequest: { token: "42", verb: "reset", result: expect.stringContaining("circuit") },
        circuitOpen: false,
        rollbackCount: 0,
      });
      await harness.settle(pawl, 2);
      expect((await harness.read(name))?.metadata.resourceVersion).toBe(metadata?.resourceVersion);
    });
  });

  test.for([
    { when: "no target", spec: { targetRef: null }, field: "spec.targetRef" },
    {
      when: "an empty name of its target",
      spec: { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "" } },
    },
    { when: "a text for a number", spec: { policy: { maxRollbacks: "3" } }, field: "spec.policy.maxRollbacks" },
    { when: "a negative number", spec: { policy: { maxRollbacks: -1 } }, field: "spec.policy.maxRollbacks" },
    { when: "a text for a list", spec: { policy: { containers: "app" } }, field: "spec.policy.containers" },
  ])("the API server rejects $when", async ({ spec, field = "spec.targetRef.name" }, { expect }) => {
    const harness = await openAutoUpdateHarness(suite);
    const { code, text } = await harness.write(name, spec as object);
    expect({ code, text }).toEqual({ code: 422, text: expect.stringContaining(field) });
  });
});
