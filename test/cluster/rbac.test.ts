import type { KubeConfig } from "@kubernetes/client-node";
import { beforeAll, describe, expect, test } from "vitest";
import { kubernetesCluster } from "../../functions/adapters/kubernetes/cluster.ts";
import type { StepInput } from "../../functions/contract.ts";
import { checksHere } from "../../functions/polling/checks-here.ts";
import type { Ports } from "../../functions/task.ts";
import { kinds, type Kind } from "../contracts/cluster-fixtures.ts";
import { rawRequest } from "../contracts/kubernetes-api/raw-request.ts";
import { type Actor, actingAs } from "../infra/cluster/acting-as.ts";
import { refusals } from "../infra/cluster/admission.ts";
import { functionNames, type FunctionName, functionsByGroup } from "../infra/cluster/functions-by-group.ts";
import { allowedBy } from "../infra/cluster/manifests.ts";
import { applyPart, type Group, groups, removePart, whyNoPolicies } from "../infra/cluster/pawl-groups.ts";
import { requestsInTable } from "../infra/cluster/permissions-table.ts";
import { everyCall } from "../infra/cluster/rbac-calls.ts";
import { imageOf, makeWorkload, markByHand, nameOf, untilStuck } from "../infra/cluster/update-story.ts";
import { startClawOperator } from "../support/claw-operator.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { installCrd } from "../support/crds/install.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../support/real-cluster.ts";

describeOnRealCluster("what is applied to a cluster", () => {
  let admin: KubeConfig;
  let namespace: string;
  let operator: { stop(): Promise<void> };

  beforeAll(async () => {
    admin = realKubeConfig();
    await installCrd(admin, "claw");
    await applyPart(admin, "roles");
    await applyPart(admin, "everywhere");
    if ((await whyNoPolicies(admin)) === null) await applyPart(admin, "policies");
    namespace = await makeNamespace(admin, "rbac");
    operator = await startClawOperator(admin);
    return async () => {
      await operator.stop();
      if ((await whyNoPolicies(admin)) === null) await removePart(admin, "policies");
    };
  });

  describe("every function, under the group of its own", () => {
    const actors = new Map<FunctionName, Actor>();
    beforeAll(() => {
      for (const name of functionNames) actors.set(name, actingAs(functionsByGroup[name].group, realKubeConfig()));
    });
    const actorOf = (name: FunctionName) => actors.get(name) ?? actingAs("nobody", realKubeConfig());

    function portsOf(name: FunctionName): Ports {
      const cluster = kubernetesCluster({
        ...{ name: "real", kubeConfig: actorOf(name).kubeConfig, namespaces: [namespace], now: () => new Date() },
        runtimeImages: { openclaw: "registry.invalid/agents/openclaw" },
        warn: (message) => process.emitWarning(message),
      });
      const tags = { "shop/app": ["1.0.0", "1.1.0"], "agents/openclaw": ["1.0.0", "1.1.0"] };
      return { ...fakePorts({ tags, now: new Date() }), cluster };
    }

    function run<Name extends Exclude<FunctionName, "poll" | "record-check">>(name: Name, step: StepInput) {
      return functionsByGroup[name].run(portsOf(name), step);
    }

    test.for(kinds)("polls, updates, adopts and rolls back a %s", async (kind) => {
      await makeWorkload(admin, kind, namespace);
      const recorder = portsOf("record-check");
      const poller = { ...portsOf("poll"), checks: checksHere(recorder) };
      const started = await eventually(`an update of ${kind} starts`, async () => {
        expect(await functionsByGroup.poll.run(poller)).toMatchObject({ failed: [] });
        return poller.executions.started.find(({ input }) => input.workload.kind === kind);
      });
      const first = { ...started.input, execution: started.name };
      expect(await run("apply-update", first)).toMatchObject({ kind: "applied" });
      await eventually("it is ready", async () => (await run("check-readiness", first)).kind === "ready");
      expect(await run("record-success", first)).toMatchObject({ kind: "recorded" });

      const bad = imageOf(kind, "1.2.0-bad");
      const second = { ...first, image: bad, execution: `${started.name}-again` };
      await markByHand(admin, kind, namespace, bad);
      expect(await run("adopt-update", second)).toMatchObject({ kind: "adopted" });
      await untilStuck(admin, namespace, kind, bad);
      expect(await run("check-readiness", second)).toMatchObject({ kind: "progressing" });
      const end = await eventually("it is rolled back", () => run("roll-back", second));
      expect(end).toMatchObject({ kind: "tripped" });
      expect(await run("open-circuit", second)).toMatchObject({ kind: "opened" });

      const after = await recorder.cluster.read(first.workload);
      if (after === null) throw new Error(`${kind} is gone`);
      const held = { kind: "hold", reason: "circuit-open", detail: "held", version: "1.3.0" } as const;
      expect(await checksHere(recorder).record(after, held)).toBe("recorded");
      expect(after).toMatchObject({ inFlight: null, image: imageOf(kind, "1.1.0"), bookkeeping: { circuitOpen: true } });
    });

    test.for(functionNames)("%s asks for what docs/permissions.md says, and for no more", (name) => {
      expect([...actorOf(name).asked].toSorted()).toEqual(requestsInTable(name));
    });

    test.for(functionNames)("what %s wrote is what the admission policies let through", (name) => {
      const { asked, writes } = actorOf(name);
      expect(writes.length > 0).toBe([...asked].some((request) => request.startsWith("patch")));
      expect(writes.flatMap(refusals)).toEqual([]);
    });
  });

  test.for(groups)("%s may do what its role says, and none of the other calls there are", async (group) => {
    const { kubeConfig } = actingAs(group, realKubeConfig());
    const answers = await answersTo(kubeConfig, everyCall(namespace));
    const taken = answers.filter(({ code }) => code !== 403).map(({ asked }) => asked);
    expect(taken.toSorted()).toEqual(allowedBy(group));
    expect(answers.length - taken.length).toBeGreaterThan(200);
  });

  test("nobody of Pawl's makes an object by applying it, or acts for somebody else", async () => {
    for (const group of groups) {
      const { kubeConfig } = actingAs(group, realKubeConfig());
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/new?fieldManager=pawl`;
      const contentType = "application/apply-patch+yaml";
      const body = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "new", namespace } };
      expect((await rawRequest(kubeConfig, "PATCH", path, { contentType, body })).code).toBe(403);
      expect((await rawRequest(kubeConfig, "GET", "/metrics", {})).code).toBe(403);
    }
  });

  test.for([
    { group: "pawl:pollers", what: "write", act: (cluster, workload) => cluster.change(workload, { announced: { held: "x" } }) },
    { group: "pawl:pollers", what: "tell", act: (cluster, workload) => cluster.announce(workload, announcement) },
    { group: "pawl:pollers", what: "free stuck pods", act: (cluster, workload) => cluster.freeStuckPods(workload, "other:1") },
    { group: "pawl:recorders", what: "free stuck pods", act: (cluster, workload) => cluster.freeStuckPods(workload, "other:1") },
    { group: "pawl:recorders", what: "list", act: (cluster) => Array.fromAsync(cluster.list()) },
    { group: "pawl:updaters", what: "list", act: (cluster) => Array.fromAsync(cluster.list()) },
  ] as const satisfies readonly Refused[])("$group may not $what: Forbidden", async ({ group, act }) => {
    const name = `refused-${group.slice(5)}-${act.length}-${Math.random()}`;
    const ref = await makeWorkload(admin, "StatefulSet", namespace, name);
    const cluster = clusterOf(actingAs(group, realKubeConfig()).kubeConfig, namespace);
    const workload = await cluster.read(ref);
    if (workload === null) throw new Error(`${name} is gone`);
    await expect(act(cluster, workload)).rejects.toMatchObject({ name: "Forbidden" });
  });
