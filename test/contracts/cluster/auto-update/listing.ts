import { expect, test } from "vitest";
import { describeProblems } from "../../../../functions/domain/workload/policy/problem.ts";
import type { Workload } from "../../../../functions/domain/workload/workload.ts";
import { builtInKinds } from "../../cluster-fixtures.ts";
import { createAutoUpdate, getAutoUpdate } from "./harness.ts";
import { change, createWorkload, read, type At } from "../harness.ts";

/** Tests which AutoUpdates a list yields, and joins to which workloads. */
export function testListingAutoUpdates(at: At): void {
  test("workloads of one name and different kinds have an AutoUpdate each", async () => {
    for (const [index, kind] of builtInKinds.entries()) {
      const ref = await createWorkload(at(), kind, { name: "web", optIn: index === 0 ? true : null });
      if (index > 0) await createAutoUpdate(at(), ref, { policy: { maxRollbacks: 10 + index } });
    }
    const found = await all(at());
    expect(found.map(({ ref, policy }) => [ref.kind, policy.maxRollbacks])).toEqual([
      ["Deployment", 3],
      ["StatefulSet", 11],
      ["DaemonSet", 12],
    ]);
    expect(found.map(({ problems }) => problems)).toEqual([[], [], []]);
  });

  test("a name of 253 characters has an AutoUpdate with a shortened name", async () => {
    const name = `${"a".repeat(62)}.`.repeat(4) + "z";
    expect(name).toHaveLength(253);
    const app = { matchLabels: { app: "app" } };
    const template = {
      metadata: { labels: { app: "app" } },
      spec: { containers: [{ name: "app", image: "shop/app:1.0.0" }] },
    };
    const ref = await createWorkload(at(), "Deployment", { name, spec: { selector: app, template } });
    await change(at(), ref, () => ({ lastReported: { held: "no" } }));
    const [listed, ...others] = await all(at());
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ ref, lastReported: { held: "no" }, record: { state: "observed" } });
  });

  test.for([
    { when: "it has another name", name: "web", targetRef: {}, problem: /must be named deployment-app; create it/ },
    {
      when: "its target does not exist",
      name: "deployment-gone",
      targetRef: { name: "gone" },
      problem: /^spec\.targetRef: Deployment .*\/gone does not exist/,
    },
    {
      when: "its kind is not supported",
      name: "job-app",
      targetRef: { apiVersion: "batch/v1", kind: "Job" },
      problem: /^spec\.targetRef: batch\/v1 Job is not updated through an AutoUpdate; use one of apps Deployment/,
    },
    {
      when: "its group is not supported",
      name: "deployment-app",
      targetRef: { apiVersion: "extensions/v1beta1" },
      problem: /extensions\/v1beta1 Deployment is not updated/,
    },
    {
      when: "its target is a Claw",
      name: "claw-app",
      targetRef: { apiVersion: "claw.prismer.ai/v1alpha1", kind: "Claw" },
      problem: /claw\.prismer\.ai\/v1alpha1 Claw is not updated/,
    },
  ])("an AutoUpdate is a problem if $when, which its own status says", async ({ name, targetRef, problem }) => {
    await createWorkload(at(), "Deployment", { optIn: null });
    const spec = { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "app", ...targetRef }, policy: {} };
    const path = `/apis/pawl.dev/v1alpha1/namespaces/${at().namespace}/autoupdates`;
    const body = { apiVersion: "pawl.dev/v1alpha1", kind: "AutoUpdate", metadata: { name }, spec };
    expect((await at().request("POST", path, { body })).code).toBe(201);
    const [unused, ...others] = await all(at());
    expect(others).toEqual([]);
    expect(unused).toMatchObject({
      ref: { kind: "AutoUpdate", name },
      problems: [{ text: expect.stringMatching(problem) }],
    });
    const reported = await change(at(), (unused as Workload).ref, ({ problems }) => ({
      lastReported: { problem: describeProblems(problems) },
    }));
    expect(reported.lastReported.problem).toMatch(problem);
    expect(reported.record.state).toBe("observed");
    const { status } = (await at().request("GET", `${path}/${name}`)).body;
    expect(status?.["conditions"]).toMatchObject([
      { type: "Ready", status: "False", reason: "InvalidConfiguration" },
      { type: "Stalled", status: "True", reason: "InvalidConfiguration", message: expect.stringMatching(problem) },
    ]);
  });

  test("the version of a target does not matter", async () => {
    const ref = await createWorkload(at(), "Deployment", { optIn: null });
    await createAutoUpdate(at(), ref, {
      targetRef: { apiVersion: "apps/v1beta2", kind: "Deployment", name: "app" },
      policy: {},
    });
    expect(await all(at())).toMatchObject([{ ref, policy: { optIn: "yes" }, problems: [] }]);
  });

  test("an AutoUpdate that Pawl created goes with its workload", async () => {
    const ref = await createWorkload(at(), "Deployment");
    await change(at(), ref, () => ({}));
    await at().request("DELETE", `/apis/apps/v1/namespaces/${at().namespace}/deployments/app`, {
      body: { propagationPolicy: "Background" },
    });
    await expect.poll(() => getAutoUpdate(at(), ref), { timeout: 60_000 }).toBeNull();
    const again = await createWorkload(at(), "Deployment");
    expect((await read(at(), again)).record.state).toBe("missing");
  });
}

async function all({ cluster }: ReturnType<At>): Promise<readonly Workload[]> {
  const found: Workload[] = [];
  for await (const workload of cluster.list()) found.push(workload);
  return found;
}
