import type { KubeConfig } from "@kubernetes/client-node";
import { beforeAll, expect, test } from "vitest";
import type { Answer, StepInput } from "../../functions/contract.ts";
import type { Checks } from "../../functions/ports/checks.ts";
import { Conflict } from "../../functions/adapters/errors.ts";
import type { Ports } from "../../functions/task.ts";
import { functionSpecs } from "../../infra/constructs/functions.ts";
import { kinds, type Kind } from "../contracts/cluster-fixtures.ts";
import { type Actor, actingAs } from "../infra/cluster/acting-as.ts";
import { refusals } from "../infra/cluster/admission.ts";
import { functionNames, type FunctionName, tasks } from "../infra/cluster/tasks.ts";
import { applyAll, clusterOf } from "../infra/cluster/pawl-groups.ts";
import { requestsInTable } from "../infra/cluster/permissions-table.ts";
import { imageOf, makeWorkload, markByHand, untilStuck } from "../infra/cluster/update-story.ts";
import { startClawOperator } from "../support/claw-operator.ts";
import { eventually } from "../support/control-plane/eventually.ts";
import { installCrd } from "../support/crds/install.ts";
import { type FakePorts, fakePorts } from "../support/fake-ports.ts";
import { describeOnRealCluster, makeNamespace, realKubeConfig } from "../support/real-cluster.ts";

type Step = Exclude<FunctionName, "poll" | "record-check">;

describeOnRealCluster("every function, under its own group", () => {
  const actors = new Map<FunctionName, Actor>();
  let admin: KubeConfig;
  let namespace: string;

  beforeAll(async () => {
    admin = realKubeConfig();
    await installCrd(admin, "claw");
    const remove = await applyAll(admin);
    namespace = await makeNamespace(admin, "rbac");
    const operator = await startClawOperator(admin);
    for (const name of functionNames) actors.set(name, actingAs(functionSpecs[name].group, realKubeConfig()));
    return async () => {
      await operator.stop();
      await remove();
    };
  });

  function actorOf(name: FunctionName): Actor {
    const actor = actors.get(name);
    if (actor === undefined) throw new Error(`nobody acts as ${name}`);
    return actor;
  }

  function portsOf(name: FunctionName, newest = "1.1.0", now = new Date()): Ports & Pick<FakePorts, "executions"> {
    const tags = { "shop/app": ["1.0.0", newest], "agents/openclaw": ["1.0.0", newest] };
    return { ...fakePorts({ tags, now }), cluster: clusterOf(actorOf(name).kubeConfig, namespace) };
  }

  /** The poll has another function record what it found. */
  const checks: Checks = {
    async record({ ref, resourceVersion }, decision) {
      const input = { cluster: "real", workload: ref, resourceVersion, decision };
      const { kind, reason } = await tasks["record-check"](portsOf("record-check"), input);
      if (kind === "changed") throw new Conflict(reason);
      return kind === "written" ? "recorded" : "none";
    },
  };

  /** As the machine runs it: again where somebody else wrote first, and to an end with any other error. */
  async function run(name: Step, step: StepInput): Promise<Answer<string>> {
    const task: (ports: Ports, input: StepInput) => Promise<Answer<string>> = tasks[name];
    const outcome = await eventually(`${name} is not overtaken`, () =>
      task(portsOf(name), step).catch((error: Error) => error.name !== "Conflict" && error),
    );
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }

  /** Polls until an update of the workload has been started. */
  async function startedUpdate(kind: Kind): Promise<StepInput> {
    const poller = { ...portsOf("poll"), checks };
    const { name, input } = await eventually(`an update of ${kind} starts`, async () => {
      expect(await tasks.poll(poller, { cluster: "real" })).toMatchObject({ failed: [] });
      return poller.executions.started.find((one) => one.input.workload.kind === kind);
    });
    return { ...input, execution: name };
  }

  test.for(kinds)("updates a %s, adopts what a person marked and rolls it back", async (kind) => {
    await makeWorkload(admin, kind, namespace);
    const first = await startedUpdate(kind);
    expect(await run("apply-update", first)).toMatchObject({ kind: "applied" });
    await eventually("it is ready", async () => (await run("check-readiness", first)).kind === "ready");
    expect(await run("record-success", first)).toMatchObject({ kind: "recorded" });

    const bad = imageOf(kind, "1.2.0-bad");
    const second = { ...first, image: bad, execution: "by-hand" };
    await markByHand(admin, first.workload, bad);
    expect(await run("adopt-update", second)).toMatchObject({ kind: "adopted" });
    await untilStuck(admin, first.workload, bad);
    expect(await run("check-readiness", second)).toMatchObject({ kind: "progressing" });
    expect(await run("roll-back", second)).toMatchObject({ kind: "tripped" });
    expect(await run("open-circuit", second)).toMatchObject({ kind: "opened" });

    const inTwoMinutes = new Date(Date.now() + 120_000);
    const later = { ...portsOf("poll", "1.3.0", inTwoMinutes), checks };
    await eventually("that it is held is recorded", async () => {
      expect(await tasks.poll(later, { cluster: "real" })).toMatchObject({ failed: [], started: 0 });
      const after = await later.cluster.read(first.workload);
      expect(after?.announced.held).toContain("1.3.0 is available and is not applied");
      expect(after).toMatchObject({
        inFlight: null,
        image: imageOf(kind, "1.1.0"),
        bookkeeping: { circuitOpen: true },
      });
      return true;
    });
  });

  test.for(functionNames)("%s asks for what docs/permissions.md says, and for no more", (name) => {
    expect([...actorOf(name).asked].toSorted()).toEqual(requestsInTable(name));
  });

  test.for(functionNames)("what %s wrote, the admission policies let through", (name) => {
    const { asked, writes } = actorOf(name);
    const kindsOfWrites = new Set(writes.map(({ operation, resource }) => `${operation} ${resource}`));
    const expected = [...asked].filter((request) => /^(patch|delete) /.test(request));
    expect([...kindsOfWrites].toSorted()).toEqual(
      expected.map((request) => request.replace(/^patch/, "UPDATE").replace(/^delete/, "DELETE")).toSorted(),
    );
    expect(writes.flatMap(refusals)).toEqual([]);
  });
});
