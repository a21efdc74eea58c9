import { expect, test } from "vitest";
import { Forbidden } from "../../../functions/ports/errors.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { idleWorkload, tags } from "./fixtures.ts";

test("a kind that may not be listed is logged and counted as an error, and the others are processed", async () => {
  const ports = fakePorts({ workloads: [idleWorkload("web")], tags: { "shop/web": tags } });
  const denying: typeof ports.cluster = {
    ...ports.cluster,
    async *list(onSkipped) {
      onSkipped?.(new Forbidden("list cronjobs: 403"));
      yield* ports.cluster.list();
    },
  };
  const warnings: unknown[] = [];
  const report = await pollCluster({ ...ports, cluster: denying }, { warn: (...what) => warnings.push(what) });
  expect(report).toMatchObject({ evaluated: 1, started: 1, failures: 1 });
  expect(warnings).toEqual([["skipped", { failure: "Forbidden", reason: "list cronjobs: 403" }]]);
  expect(ports.metrics.pending).toContainEqual({ name: "pawl_poll_errors_total", value: 1, labels: {} });
  expect(ports.metrics.pending).toContainEqual({ name: "pawl_errors_total", value: 1, labels: { error: "Forbidden" } });
});
