import { expect, test } from "vitest";
import { Unreachable } from "../../../functions/ports/errors.ts";
import { pollCluster } from "../../../functions/workflows/poll/poll-cluster.ts";
import { createWorkloads, createManyPorts } from "./many-workloads.ts";

test("of many failures 50 are listed, and all are counted and logged", async () => {
  const warnings: string[] = [];
  const ports = createManyPorts(createWorkloads(120), () => Promise.reject(new Unreachable("no answer")));
  const report = await pollCluster(ports, { warn: (message) => warnings.push(message) });
  expect(report).toMatchObject({ evaluated: 120, failures: 120 });
  expect(report.failed).toHaveLength(50);
  expect(warnings).toHaveLength(120);
  expect(ports.metrics.pending).toContainEqual({ name: "pawl_poll_errors_total", value: 120, labels: {} });
});
