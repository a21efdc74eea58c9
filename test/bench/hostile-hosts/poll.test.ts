import { expect, onTestFinished, test } from "vitest";
import { allHostileHosts, startHostileHosts } from "../../../bench/hostile-hosts/hostile-hosts.ts";
import { runPoll } from "../../../bench/hostile-hosts/run-poll.ts";
import { startRegistry } from "../../../bench/poll/registry/start.ts";
import { functionSpecs } from "../../../infra/constructs/functions/function-specs.ts";
import { isSoak } from "../../support/property-runs.ts";

const content = { images: 200, tags: 200, latencyMilliseconds: 100, pageSize: 100 };

test("64 hostile hosts stop no honest one, in the memory of the function", { timeout: 180_000 }, async () => {
  const { hosts, poll } = await start();
  const beside = await poll(hosts);
  expect(hosts).toHaveLength(64);
  expect(beside.honestDecided).toBe(content.images);
  expect(beside.peakBytes).toBeLessThan(functionSpecs.poll.memoryMegabytes * 1024 * 1024);
  expect(Object.keys(beside.failures)).not.toContain("honest");
  expect(Object.keys(beside.failures).length).toBeGreaterThan(0);
});

// In CI, other tests run beside one of both polls.
test.runIf(isSoak)("64 hostile hosts delay honest ones by less than half", { timeout: 180_000 }, async () => {
  const { hosts, poll } = await start();
  const alone = await poll([]);
  const beside = await poll(hosts);
  expect(beside.honestSeconds / alone.honestSeconds).toBeLessThan(1.5);
});

async function start() {
  const registry = await startRegistry(content);
  const hostile = await startHostileHosts(allHostileHosts);
  onTestFinished(() => {
    registry.close();
    hostile.close();
  });
  const honest = { ...content, host: registry.host };
  return {
    hosts: hostile.hosts,
    poll: (hosts: typeof hostile.hosts) =>
      runPoll({
        honest,
        hostile: hosts,
        repositoriesPerHost: hosts.length === 0 ? 0 : 2,
        extraSeconds: hosts.length === 0 ? 0 : 1,
      }),
  };
}
