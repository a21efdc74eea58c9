import { startRegistry } from "../poll/registry/start.ts";
import { allHostileHosts, startHostileHosts } from "./hostile-hosts.ts";
import { runPoll } from "./run-poll.ts";

// 200 honest repositories are polled alone, and beside 64 hostile hosts with four repositories each.

const content = { images: 200, tags: 200, latencyMilliseconds: 100, pageSize: 100 };
const rounds = 3;
const maxRatio = 1.5;

const registry = await startRegistry(content);
const hostile = await startHostileHosts(allHostileHosts);
try {
  const honest = { ...content, host: registry.host };
  const alone = { honest, hostile: [], repositoriesPerHost: 0, extraSeconds: 0 };
  const beside = { honest, hostile: hostile.hosts, repositoriesPerHost: 4, extraSeconds: 10 };
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [one, other] = [await runPoll(alone), await runPoll(beside)];
    ratios.push(other.honestSeconds / one.honestSeconds);
    console.log(
      `decided ${other.honestDecided} of ${content.images}, time ${ratios.at(-1)?.toFixed(2)}, ` +
        `CPU ${(other.cpuSeconds / one.cpuSeconds).toFixed(1)}, memory ${(other.peakBytes / one.peakBytes).toFixed(1)} ` +
        `(${(other.peakBytes / 1024 / 1024).toFixed(0)} MiB) times that without hostile hosts; failed: ${JSON.stringify(other.failures)}`,
    );
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
  console.log(`${median <= maxRatio ? "met" : "MISSED"}: at most ${maxRatio} times the time (${median.toFixed(2)})`);
} finally {
  registry.close();
  hostile.close();
}
