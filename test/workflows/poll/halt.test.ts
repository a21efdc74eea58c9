import { expect, test } from "vitest";
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
