import { expect, test } from "vitest";
import { Forbidden } from "../../functions/adapters/errors.ts";
import { pollCluster } from "../../functions/polling/poll-cluster.ts";
import { fakePorts } from "../support/fake-ports.ts";
import { resting, tags } from "./shop.ts";

test("a kind that may not be listed is counted as an error and told, and the others have their turn", async () => {
  const ports = fakePorts({ workloads: [resting("web")], tags: { "shop/web": tags } });
  const refusing: typeof ports.cluster = {
    ...ports.cluster,
    async *list(onRefused) {
      onRefused?.(new Forbidden("list cronjobs: 403"));
      yield* ports.cluster.list();
    },
  };
  const told: unknown[] = [];
  const report = await pollCluster({ ...ports, cluster: refusing }, { warn: (...what) => told.push(what) });
  expect(report).toMatchObject({ looked: 1, started: 1, failures: 1 });
  expect(told).toEqual([["not listed", { failure: "Forbidden", reason: "list cronjobs: 403" }]]);
  expect(ports.metrics.pending).toContainEqual({ name: "pawl_poll_errors_total", value: 1, labels: {} });
  expect(ports.metrics.pending).toContainEqual({ name: "pawl_errors_total", value: 1, labels: { error: "Forbidden" } });
});
