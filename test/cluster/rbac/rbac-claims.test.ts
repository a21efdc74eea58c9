import { AppsV1Api, type KubeConfig } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import type { UpdateStatus } from "../../../functions/adapters/kubernetes/auto-update/status/status-fields.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import type { StepInput } from "../../../functions/contract/workload-update.ts";
import type { Workload, WorkloadRef } from "../../../functions/domain/workload/workload.ts";
import { startCanary } from "../../../functions/handlers/start-canary.ts";
import { rawRequest } from "../../contracts/kubernetes-api/raw-request.ts";
import { createClusterFor, groups } from "../../infra/cluster/pawl-groups.ts";
import { type FunctionName, tasks } from "../../infra/cluster/tasks.ts";
import { autoUpdatePath, readAutoUpdate } from "../../infra/cluster/update-requests.ts";
import { impersonate } from "../../infra/cluster/impersonate.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { describeOnRealCluster, realKubeConfig } from "../../support/real-cluster.ts";
import {
  deploymentWithProxy,
  forgedExecution,
  forgedPrevious,
  forgeries,
  inventUpdate,
  repository,
  stepFor,
} from "../claim/forged-claims.ts";
import { imageTarget } from "../../support/workloads.ts";
import { createActors, createCheckRecorder, installPawl, repeatOnConflict, type StepHandler } from "./rbac-harness.ts";

/** Every step that writes to a workload, with the strategies of its input. */
const steps: readonly { readonly name: "start-canary" | FunctionName; readonly handler: StepHandler }[] = [
  { name: "adopt-update", handler: tasks["adopt-update"] },
  { name: "start-canary", handler: startCanary },
  { name: "apply-update", handler: tasks["apply-update"] },
  { name: "record-success", handler: tasks["record-success"] },
  { name: "roll-back", handler: tasks["roll-back"] },
  { name: "check-rollback", handler: tasks["check-rollback"] },
];
const contentType = "application/merge-patch+json";
const strategies = ["rolling", "canary", "restart", "abort"] as const;

describeOnRealCluster("what a status says, with the permissions of each group", () => {
  const actorOf = createActors();
  let admin: KubeConfig;
  let namespace: string;

  beforeAll(async () => {
    const installation = await installPawl("rbac-claims", []);
    ({ admin, namespace } = installation);
    return () => installation.remove();
  });

  function portsOf(name: "start-canary" | FunctionName): Ports {
    const tags = { "shop/app": ["1.0.0"] };
    return { ...fakePorts({ tags, now: new Date() }), cluster: createClusterFor(actorOf(name).kubeConfig, namespace) };
  }

  async function poll(): Promise<void> {
    await tasks.poll({ ...portsOf("poll"), checkRecorder: createCheckRecorder(portsOf) }, { cluster: "real" });
  }

  /** Creates a Deployment that opted in, and lets a poll create its AutoUpdate. */
  async function createRecorded(name: string): Promise<Workload> {
    await admin.makeApiClient(AppsV1Api).createNamespacedDeployment({ namespace, body: deploymentWithProxy(name) });
    return eventually(`${name} has an AutoUpdate`, async () => {
      await poll();
      return (await listed()).find(({ ref, record }) => ref.name === name && record.state === "observed");
    });
  }

  async function listed(): Promise<readonly Workload[]> {
    const all: Workload[] = [];
    for await (const workload of createClusterFor(admin, namespace).list()) all.push(workload);
    return all;
  }

  /** Writes an update in flight with the permissions of a recorder, or of an analyst. */
  async function forge(ref: WorkloadRef, update: Partial<UpdateStatus>): Promise<void> {
    const group = update.phase === "Applied" ? "pawl:analysts" : "pawl:recorders";
    const { kubeConfig } = impersonate(group, realKubeConfig());
    const body = { status: { update: { ...inventUpdate(ref), restorePending: null, ...update } } };
    const path = `${autoUpdatePath(ref)}/status`;
    const { code, text } = await rawRequest(kubeConfig, "PATCH", path, { body, contentType });
    expect([code, text]).toEqual([200, expect.anything()]);
  }

  /** Returns the repositories that run, by container. */
  async function runningRepositories(): Promise<readonly string[]> {
    const { items } = await admin.makeApiClient(AppsV1Api).listNamespacedDeployment({ namespace });
    const containers = items.flatMap(({ spec }) => spec?.template.spec?.containers ?? []);
    return [
      ...new Set(containers.map(({ name, image = "" }) => `${name} ${image.replace(/:[^/:]*$/, "")}`)),
    ].toSorted();
  }
  const tracked = [`app ${repository.app}`, `proxy ${repository.proxy}`];

  async function imagesOf(name: string): Promise<readonly string[]> {
    const { spec } = await admin.makeApiClient(AppsV1Api).readNamespacedDeployment({ namespace, name });
    return (spec?.template.spec?.containers ?? []).map(({ image = "" }) => image);
  }

  /** Runs every step of an updater on the forged status, whatever it ends with: what is read must not change. */
  async function runSteps(ref: WorkloadRef, update: Partial<UpdateStatus>, read = runningRepositories): Promise<void> {
    const { image } = { ...inventUpdate(ref), ...update }.target;
    const before = await read();
    for (const { name, handler } of steps) {
      for (const strategy of strategies) {
        await forge(ref, update);
        const adopting = name === "adopt-update" ? { adopting: true, execution: "adopting" } : {};
        const step: StepInput = { ...stepFor(ref, image), strategy, ...adopting };
        const error = await handler(portsOf(name), step).then(
          () => "none",
          ({ name: failure }: Error) => failure,
        );
        expect(["none", "Conflict"]).toContain(error);
        expect(await read(), `after ${name}, ${strategy}`).toEqual(before);
      }
    }
  }

  test("an update that a recorder or analyst invents is applied and reverted, within the repository that is tracked", async () => {
    const { ref } = await createRecorded("invented");
    const app = () => imagesOf("invented");
    const run = (name: "adopt-update" | "roll-back", execution: string) => {
      const handler: StepHandler = tasks[name];
      const step = { ...stepFor(ref, `${repository.app}:6.6.6`), adopting: true, execution };
      return repeatOnConflict(name, () => handler(portsOf(name), step));
    };
    await forge(ref, {});
    expect(await run("adopt-update", "adopting")).toMatchObject({ kind: "adopted" });
    expect(await app()).toEqual([`${repository.app}:6.6.6`, `${repository.proxy}:3.1.4`]);
    await forge(ref, { phase: "Applied", previousImage: `${repository.app}:0.9.0` });
    expect(await run("roll-back", forgedExecution)).toMatchObject({ kind: "reverting" });
    expect(await app()).toEqual([`${repository.app}:0.9.0`, `${repository.proxy}:3.1.4`]);
    await admin.makeApiClient(AppsV1Api).deleteNamespacedDeployment({ namespace, name: "invented" });
  });

  test("a forged claim is ignored by every step, and the next poll removes it", async () => {
    const { ref } = await createRecorded("claimed");
    for (const { forgery, update } of forgeries) {
      for (const phase of ["Claimed", "Applied"] as const) await runSteps(ref, { ...update, phase });
      await eventually(`the claim with ${forgery} is removed`, async () => {
        await poll();
        return (await readAutoUpdate(admin, ref))?.status?.update === undefined;
      });
      expect(await runningRepositories()).toEqual(tracked);
    }
  });

  test.for(forgedPrevious)("a forged previous image is not restored: $forgery", async ({ update }) => {
    const name = `previous-${forgedPrevious.findIndex((one) => one.update === update)}`;
    const { ref } = await createRecorded(name);
    await runSteps(ref, { phase: "Applied", ...update, target: imageTarget(`${repository.app}:1.0.0`) });
    expect(await runningRepositories()).toEqual(tracked);
  });

  test.for([
    { claim: "to apply", update: { phase: "Claimed" } },
    {
      claim: "to revert",
      update: {
        phase: "Applied",
        target: imageTarget(`${repository.app}:1.0.0`),
        previousImage: `${repository.app}:0.9.0`,
      },
    },
  ] as const)("a forged claim $claim has no effect on a workload that is not enabled", async ({ claim, update }) => {
    const { ref } = await createRecorded(`disabled-${claim.slice("to ".length)}`);
    const optOut = { metadata: { annotations: { "pawl.dev/auto-update": null } } };
    const patch = { body: optOut, contentType };
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${ref.name}`;
    expect((await rawRequest(admin, "PATCH", path, patch)).code).toBe(200);
    await runSteps(ref, update, () => imagesOf(ref.name));
  });

  test.for(groups.filter((group) => group !== "pawl:pollers"))("%s changes nothing but the status", async (group) => {
    const { ref } = await createRecorded(`status-${group.slice("pawl:".length)}`);
    const before = await readAutoUpdate(admin, ref);
    const annotations = { "pawl.dev/request": "push 9.9.9 token" };
    const spec = { suspend: true, policy: { versionConstraint: "*" } };
    const body = { metadata: { annotations, labels: null }, spec, status: { holdReason: "forged" } };
    const { kubeConfig } = impersonate(group, realKubeConfig());
    const { code } = await rawRequest(kubeConfig, "PATCH", `${autoUpdatePath(ref)}/status`, { body, contentType });
    expect(code).toBe(200);
    const after = await readAutoUpdate(admin, ref);
    expect(after?.status?.holdReason).toBe("forged");
    expect([after?.spec, after?.metadata.annotations, after?.metadata.labels]).toEqual([
      before?.spec,
      before?.metadata.annotations,
      before?.metadata.labels,
    ]);
  });

  // Evictors replace pods of StatefulSets and DaemonSets only.
  const readers = groups.filter((group) => group !== "pawl:evictors");
  test.for(readers)("%s may read a claim whose change was not written", async (group) => {
    const name = `interrupted-${group.slice("pawl:".length)}`;
    const { ref } = await createRecorded(name);
    await forge(ref, {});
    const scale = { body: { spec: { replicas: 1 } }, contentType };
    await rawRequest(admin, "PATCH", `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`, scale);
    const actor = impersonate(group, realKubeConfig());
    const workload = await createClusterFor(actor.kubeConfig, namespace).read(ref);
    expect(workload?.inFlight).toMatchObject({ target: imageTarget(`${repository.app}:6.6.6`), isApplied: false });
    expect([...actor.requests].toSorted()).toEqual(
      expect.arrayContaining(["get autoupdates.pawl.dev", "get deployments.apps", "list replicasets.apps"]),
    );
  });
});
