import { expect, test } from "vitest";
import { restartTarget } from "../../../functions/domain/workload/request/restart-request.ts";
import { image, workload } from "../../support/workloads.ts";
import { fakePorts } from "../../support/fake-ports.ts";
import { runUntilComplete } from "../run-workload-update.ts";
import { targetKey } from "../../../functions/domain/workload/target/target.ts";

const request = { verb: "restart", argument: null, token: "t-1" };
const target = restartTarget(image, request);
const answer = { token: "t-1", verb: "restart", result: expect.stringMatching(/^restart is requested: execution /) };

test("a restart that a person asks for recreates the pods once, and is recorded", async () => {
  const ports = fakePorts({ workloads: [workload({ request, policy: { healthTimeoutSeconds: 60 } })] });
  await runUntilComplete(ports);
  const { updateRecord, restartedAt, ...after } = ports.cluster.get();
  expect(after).toMatchObject({ image, inFlight: null, request: null, lastRequest: answer });
  expect(restartedAt).not.toBeNull();
  expect(updateRecord.versionHistory).toMatchObject([{ status: "Healthy", image }]);
  expect(updateRecord.currentVersion).toBe("1.0.0");
  expect(ports.executions.started).toHaveLength(1);
  expect(ports.cluster.events().map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^Restarting registry\.example\/shop\/app:1\.0\.0, as requested \(execution /),
  );
});

test("a restart whose pods do not become ready is counted, and restores nothing", async () => {
  const initial = workload({ request, policy: { healthTimeoutSeconds: 60 } });
  const ports = fakePorts({ workloads: [initial], broken: new Set([targetKey(target)]) });
  await runUntilComplete(ports);
  const { updateRecord, ...after } = ports.cluster.get();
  expect(after).toMatchObject({ image, inFlight: null, request: null, lastRequest: answer });
  expect(updateRecord).toMatchObject({ rollbackCount: 1, versionHistory: [{ status: "RolledBack" }] });
  expect(ports.published.at(-1)).toMatchObject({ type: "Update Rolled Back" });
  expect(ports.cluster.events().map(({ message }) => message)).toContainEqual(
    expect.stringContaining("the image stays"),
  );
});
