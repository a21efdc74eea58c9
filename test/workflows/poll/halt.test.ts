import { expect, test } from "vitest";
import { noLimitSettings } from "../../../functions/domain/budget/limits.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { workload } from "../../support/workloads.ts";

const tags = { "registry.example/shop/app": ["1.0.0", "1.1.0"], "shop/app": ["1.0.0", "1.1.0"] };

function shared(count: number, failing: number) {
  const { ref } = workload();
  return Array.from({ length: count }, (_, index) =>
    workload({
      ref: { ...ref, name: `w${index}`, uid: `u-${index}` },
      updateRecord: index < failing ? { failedVersions: ["1.1.0"] } : {},
    }),
  );
}

test.for([
  { failing: 0, started: 5 },
  { failing: 1, started: 4 },
  { failing: 2, started: 0 },
  { failing: 3, started: 0 },
])("of five workloads with one image, $started start if it has failed in $failing", async ({ failing, started }) => {
  const ports = fakePorts({ workloads: shared(5, failing), tags });
  const report = await pollCluster(ports);
  expect(report).toMatchObject({ evaluated: 5, started, failures: 0 });
});

test("of 300 workloads with one bad image, no more are touched than may fail and were in progress by then", async () => {
  const all = shared(300, 0);
  const limits = { ...noLimitSettings, maxConcurrent: 6 };
  const ports = { ...fakePorts({ workloads: all, tags }), limits };
  const touched = () => new Set(ports.executions.started.map(({ input }) => input.workload.name)).size;
  for (let poll = 0; poll < 20; poll += 1) {
    await pollCluster(ports);
    // One after the other fails.
    const [first] = ports.executions.running();
    if (first === undefined) break;
    ports.executions.finish(first.name);
    const { ref } = all.find((one) => one.ref.name === first.input.workload.name) ?? workload();
    ports.cluster.put(workload({ ref, updateRecord: { failedVersions: ["1.1.0"] } }));
    ports.pass(60);
  }
  expect(ports.executions.running()).toEqual([]);
  expect(touched()).toBeGreaterThanOrEqual(6);
  expect(touched()).toBeLessThanOrEqual(2 + 6);
  const { ref } = workload({ ref: { ...all[0]!.ref, name: "w299", uid: "u-299" } });
  expect((await ports.cluster.read(ref))?.gates?.map(({ name }) => name)).toEqual(["haltedElsewhere"]);
});
