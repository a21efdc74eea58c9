import { availableParallelism, loadavg } from "node:os";
import { runComparison } from "./comparison.ts";
import { installRenovate } from "./contenders/install-renovate.ts";
import { evaluateGoals } from "./goals.ts";
import { readOptions } from "./options.ts";
import { startRegistry } from "./registry/start.ts";
import { formatGoals, formatMarkdown, formatTable, createRows } from "./table.ts";

const { images, tags, latency, page, repeat, renovate: version, markdown } = readOptions(process.argv.slice(2));
const renovate = version === false ? null : await installRenovate(version);
// Other load on the machine distorts the ratios of time, but not those of requests and memory.
const load = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`;
const registry = await startRegistry({ images, tags, latencyMilliseconds: latency, pageSize: page });
try {
  const job = { host: registry.host, images, tags };
  const runs = { own: repeat ?? 3, renovate: repeat ?? 1 };
  const outcomes = await runComparison({ registry, job, runs, renovate, log: (line) => console.error(line) });
  const rows = createRows(outcomes);
  console.log(
    `${images} images with ${tags} tags each, ${page} tags per page, ${latency} ms latency; initial load average ${load}:\n`,
  );
  console.log(markdown ? formatMarkdown(rows) : formatTable(rows));
  console.log(`\n${formatGoals(evaluateGoals(outcomes, images * (Math.ceil(tags / page) + 1)))}`);
} finally {
  registry.close();
}
