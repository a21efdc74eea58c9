import type { KubeConfig } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import type { StepResult, StepInput } from "../../../functions/contract/workload-update.ts";
import { createKubernetesPollLease } from "../../../functions/adapters/kubernetes/poll-lease.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import { missingCondition } from "../../../functions/domain/workload/update/readiness.ts";
import { recordCheck } from "../../../functions/handlers/record-check.ts";
import { createClaimHolder } from "../../../functions/runtime/claim-holder.ts";
import { kinds, type Kind } from "../../contracts/cluster-fixtures.ts";
import { functionNames, type FunctionName, tasks } from "../../infra/cluster/tasks.ts";
import { applyLease, createClusterFor } from "../../infra/cluster/pawl-groups.ts";
import { requestsInTable } from "../../infra/cluster/permissions-table.ts";
import {
  imageOf,
  createWorkload,
  optOut,
  readAutoUpdate,
  requestPush,
  setUpdateAnnotations,
  waitForUnreadyPod,
} from "../../infra/cluster/update-requests.ts";
import { startClawOperator } from "../../support/real/claw-operator.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { type FakePorts, fakePorts } from "../../support/fake-ports.ts";
import { describeOnRealCluster } from "../../support/real-cluster.ts";
import {
  createActors,
  createCheckRecorder,
  installPawl,
  repeatOnConflict,
  type StepHandler,
  type StepName,
  testDocumentedRequests,
} from "./rbac-harness.ts";
import { imageTarget } from "../../support/workloads.ts";

describeOnRealCluster("every function of a workload update, with the permissions of its group", () => {
  const actorOf = createActors();
  let admin: KubeConfig;
  let namespace: string;

  beforeAll(async () => {
    const installation = await installPawl("rbac", ["claw"]);
    ({ admin, namespace } = installation);
    const operator = await startClawOperator(admin);
    return async () => {
      await operator.stop();
      await installation.remove();
    };
  });

  function portsOf(name: FunctionName, newest = "1.1.0", now = new Date()): Ports & Pick<FakePorts, "executions"> {
    const published = ["1.0.0", newest, "1.2.0-bad"];
    const tags = { "shop/app": published, "agents/openclaw": published };
    return { ...fakePorts({ tags, now }), cluster: createClusterFor(actorOf(name).kubeConfig, namespace) };
  }

  test("a poll takes the lease of its cluster", async () => {
    await applyLease(admin, namespace);
    const now = () => new Date();
    const { kubeConfig } = actorOf("record-check");
    const holder = createClaimHolder("pawl");
    const ownPollLease = createKubernetesPollLease({ kubeConfig, namespaces: [namespace], holder, now });
    const ports = { ...portsOf("record-check"), ownPollLease };
    const write = (verb: "acquire" | "release", poll: string) =>
      recordCheck(ports, { cluster: "real", lease: { verb, poll } });
    const states = await Promise.all(["one", "two"].map((poll) => write("acquire", poll)));
    expect(states.map(({ lease }) => lease.kind).toSorted()).toEqual(["held", "taken"]);
    for (const poll of ["one", "two"]) await write("release", poll);
    expect(await write("acquire", "three")).toEqual({ lease: { kind: "held", takenOverFrom: null } });
  });

  const checkRecorder = createCheckRecorder((name) => portsOf(name));

  async function run(name: StepName, step: StepInput): Promise<StepResult<string>> {
    const handler: StepHandler = tasks[name];
    return repeatOnConflict(name, () => handler(portsOf(name), step));
  }

  /** Polls until an update of the workload starts, and returns its input. */
  async function startUpdate(kind: Kind): Promise<StepInput> {
    const poller: ReturnType<typeof portsOf> = { ...portsOf("poll"), checkRecorder };
    const { name, input } = await eventually(`an update of ${kind} starts`, async () => {
      expect(await tasks.poll(poller, { cluster: "real" })).toMatchObject({ failed: [] });
      return poller.executions.started.find((execution) => execution.input.workload.kind === kind);
    });
    return { ...input, execution: name };
  }

  test.for(kinds)("update a %s, roll another update back, and opt out", async (kind) => {
    await createWorkload(admin, kind, namespace);
    const first = await startUpdate(kind);
    // An update frees pods that are not ready before it begins: that needs requests of another row.
    await eventually("it is ready before", async () => {
      const before = await portsOf("poll").cluster.read(first.workload);
      return before !== null && missingCondition(before.rollout, null) === null;
    });
    expect(await run("apply-update", first)).toMatchObject({ kind: "applied" });
    await eventually("it is ready", async () => (await run("check-readiness", first)).kind === "ready");
    expect(await run("record-success", first)).toMatchObject({ kind: "recorded" });

    const bad = imageOf(kind, "1.2.0-bad");
    const second = await startBadUpdate(kind, first, bad);
    expect(await run("adopt-update", second)).toMatchObject({ kind: "adopted" });
    await waitForUnreadyPod(admin, first.workload, bad);
    expect(await run("check-readiness", second)).toMatchObject({ kind: "progressing" });
    expect(await run("roll-back", second)).toMatchObject({ kind: "reverting" });
    await eventually("it is rolled back", async () => (await run("check-rollback", second)).kind === "circuit-tripped");
    expect(await run("open-circuit", second)).toMatchObject({ kind: "opened" });

    const inTwoMinutes = new Date(Date.now() + 120_000);
    const later: ReturnType<typeof portsOf> = { ...portsOf("poll", "1.3.0", inTwoMinutes), checkRecorder };
    await eventually("the hold is recorded", async () => {
      expect(await tasks.poll(later, { cluster: "real" })).toMatchObject({ failed: [], started: 0 });
      const after = await later.cluster.read(first.workload);
      expect(after?.lastReported.held).toContain("1.3.0 is available but not applied");
      expect(after).toMatchObject({
        inFlight: null,
        image: imageOf(kind, "1.1.0"),
        updateRecord: { circuitOpen: true },
      });
      return true;
    });
    await optOut(admin, first.workload);
    await eventually("its AutoUpdate is deleted", async () => {
      expect(await tasks.poll(later, { cluster: "real" })).toMatchObject({ failed: [], started: 0 });
      return (await readAutoUpdate(admin, first.workload)) === null;
    });
  });

  /** Lets a person start an update that fails: by a request or, for a Claw, manually. Returns the input of an adoption. */
  async function startBadUpdate(kind: Kind, { workload, ...input }: StepInput, image: string): Promise<StepInput> {
    const adopting = { ...input, workload, target: imageTarget(image), execution: "adopting" };
    if (kind === "Claw") {
      await setUpdateAnnotations(admin, workload, image);
      return adopting;
    }
    await requestPush(admin, workload, "1.2.0-bad");
    const started = await startUpdate(kind);
    expect(started).toMatchObject({ target: { image }, adopting: false });
    expect(await run("apply-update", started)).toMatchObject({ kind: "applied" });
    return adopting;
  }

  testDocumentedRequests(functionNames, (name) => ({
    sent: actorOf(name).requests,
    documented: requestsInTable(name),
  }));
});
