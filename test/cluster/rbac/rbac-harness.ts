import type { KubeConfig } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { parseResult } from "../../../functions/adapters/aws/lambda/invoke.ts";
import { createKubernetesNodePools } from "../../../functions/adapters/kubernetes/node-pools/node-pools.ts";
import type { Ports } from "../../../functions/contract/ports.ts";
import type { StepInput, StepResult } from "../../../functions/contract/workload-update.ts";
import type { CheckRecorder } from "../../../functions/ports/check-recorder.ts";
import { Conflict } from "../../../functions/ports/errors.ts";
import type { KubernetesGroup } from "../../../infra/constructs/functions/function-spec.ts";
import { functionSpecs, type HandlerName } from "../../../infra/constructs/functions/function-specs.ts";
import { allRequests, sendRequests } from "../../infra/cluster/api-requests.ts";
import { type Actor, impersonate } from "../../infra/cluster/impersonate.ts";
import { applyAll } from "../../infra/cluster/pawl-groups.ts";
import { requestsInSomeCases } from "../../infra/cluster/permissions-table.ts";
import { type FunctionName, tasks } from "../../infra/cluster/tasks.ts";
import { eventually } from "../../support/control-plane/eventually.ts";
import { installCrd } from "../../support/crds/install.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { makeNamespace, realKubeConfig } from "../../support/real-cluster.ts";

/** A handler of a step of a workload update. */
export type StepHandler = (ports: Ports, step: StepInput) => Promise<StepResult<string>>;

/** The functions with such a handler. */
export type StepName = Exclude<FunctionName, "poll" | "record-check">;

export interface Installation {
  readonly admin: KubeConfig;
  readonly namespace: string;
  /** Deletes what was applied of infra/cluster. */
  remove(): Promise<void>;
}

/** Installs CRDs, applies infra/cluster and creates a namespace. */
export async function installPawl(
  prefix: string,
  crds: readonly Parameters<typeof installCrd>[1][] = ["claw", "stateful-canary"],
): Promise<Installation> {
  const admin = realKubeConfig();
  for (const crd of crds) await installCrd(admin, crd);
  const remove = await applyAll(admin);
  return { admin, namespace: await makeNamespace(admin, prefix), remove };
}

/** Returns a function that gives each Lambda function one actor, which impersonates its group. */
export function createActors(): (name: HandlerName) => Actor {
  const actors = new Map<HandlerName, Actor>();
  return (name) => {
    const { group } = functionSpecs[name];
    if (group === null) throw new Error(`${name} has no access to clusters`);
    const actor = actors.get(name) ?? impersonate(group, realKubeConfig());
    actors.set(name, actor);
    return actor;
  };
}

/** Repeats a call until it has no write conflict, like the state machine. Any other error is final. */
export async function repeatOnConflict<T>(what: string, call: () => Promise<T>): Promise<T> {
  const outcome = await eventually(`${what} has no write conflict`, () =>
    call().then(
      (value) => ({ value }),
      (error: Error) => error.name !== "Conflict" && { error },
    ),
  );
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}

/** Runs the function `record-check`, like the poll in AWS. The first call has a write conflict, so that the poll reads again. */
export function createCheckRecorder(portsOf: (name: "record-check") => Ports): CheckRecorder {
  let isFirst = true;
  return {
    async record({ ref, resourceVersion, record }, decision) {
      if (isFirst) {
        isFirst = false;
        throw new Conflict("changed since it was read");
      }
      const check = { workload: ref, resourceVersion, recordVersion: record.resourceVersion, decision };
      const { results } = await tasks["record-check"](portsOf("record-check"), { cluster: "real", checks: [check] });
      const result = parseResult(results[0], "record-check");
      if (result instanceof Error) throw result;
      return result;
    },
  };
}

/** Creates fake ports, except for the node pools of the real cluster. */
export function createNodePoolPorts({ kubeConfig }: Actor): Ports {
  const now = () => new Date();
  return {
    ...fakePorts({ nodePools: {}, now: now() }),
    now,
    nodePools: createKubernetesNodePools({ kubeConfig, now }),
  };
}

/** Sends a request for every verb on every resource. Returns the allowed permissions, sorted, and the number of denied ones. */
export async function probePermissions(kubeConfig: KubeConfig, namespace: string) {
  const responses = await sendRequests(kubeConfig, allRequests(namespace));
  const allowed = responses.filter(({ code }) => code !== 403).map(({ permission }) => permission);
  return { allowed: allowed.toSorted(), deniedCount: responses.length - allowed.length };
}

/** What some groups must not do with the adapters. */
export interface ForbiddenAction<Target> {
  readonly action: string;
  readonly groups: readonly KubernetesGroup[];
  readonly act: (target: Target) => Promise<unknown>;
}

/** Tests each action with each of its groups. `open` returns what the action is done to, with the permissions of a group. */
export function testForbiddenActions<Target extends object>(
  actions: readonly ForbiddenAction<Target>[],
  open: (group: KubernetesGroup) => Promise<Target>,
): void {
  test.for(actions.flatMap(({ groups, ...rest }) => groups.map((group) => ({ ...rest, group }))))(
    "$group cannot $action: Forbidden",
    async ({ group, act }) => {
      const target = await open(group);
      await expect(act(target)).rejects.toMatchObject({ name: expect.stringMatching(/^(Forbidden|AdmissionDenied)$/) });
    },
  );
}

/** Tests the requests that the functions sent in the tests before: all that they send in any case, and none that the docs do not list. */
export function testDocumentedRequests<Name extends HandlerName>(
  names: readonly Name[],
  requestsOf: (name: Name) => { readonly sent: Iterable<string>; readonly documented: readonly string[] },
): void {
  test.for(names.map((name) => ({ name })))(
    "$name sends exactly the requests in docs/reference/permissions.md",
    ({ name }) => {
      const { sent, documented } = requestsOf(name);
      const requests = new Set(sent);
      const allowed = new Set([...documented, ...requestsInSomeCases(name)]);
      const undocumented = [...requests].filter((request) => !allowed.has(request));
      const missing = documented.filter((request) => !requests.has(request));
      // Each as a text of its own: a failure names the requests.
      expect(undocumented.join("; "), "requests that docs/reference/permissions.md does not list").toBe("");
      expect(missing.join("; "), "requests that were not sent").toBe("");
      expect(new Set(documented).size, "each is listed once").toBe(documented.length);
    },
  );
}
