import { expect, test } from "vitest";
import { allHostileHosts, startHostileHosts } from "../../../bench/hostile-hosts/hostile-hosts.ts";
import { runPoll } from "../../../bench/hostile-hosts/run-poll.ts";
import { startRegistry } from "../../../bench/poll/registry/start.ts";
import { functionSpecs } from "../../../infra/constructs/function-specs.ts";

/** With the latency of a real registry, so that the ratio depends little on what else runs on this machine. */
const content = { images: 200, tags: 200, latencyMilliseconds: 100, pageSize: 100 };

// Other work on the machine may fall into one of both polls.
test(
  "64 hostile hosts delay and stop no honest one, in the memory of the function",
  { timeout: 180_000, retry: 2 },
  async () => {
    const registry = await startRegistry(content);
    const hostile = await startHostileHosts(allHostileHosts);
    try {
      const honest = { ...content, host: registry.host };
      const alone = await runPoll({ honest, hostile: [], repositoriesPerHost: 0, extraSeconds: 0 });
      const beside = await runPoll({ honest, hostile: hostile.hosts, repositoriesPerHost: 2, extraSeconds: 1 });
      expect(hostile.hosts).toHaveLength(64);
      expect(beside.honestDecided).toBe(content.images);
      expect(beside.honestSeconds / alone.honestSeconds).toBeLessThan(1.5);
      expect(beside.peakBytes).toBeLessThan(functionSpecs.poll.memoryMegabytes * 1024 * 1024);
      expect(Object.keys(beside.failures)).not.toContain("honest");
      expect(Object.keys(beside.failures).length).toBeGreaterThan(0);
    } finally {
      registry.close();
      hostile.close();
    }
  },
);
