import { availableParallelism, loadavg } from "node:os";
import { contest } from "./contest.ts";
import { installRenovate } from "./contenders/install-renovate.ts";
import { judge } from "./goals.ts";
import { readOptions } from "./options.ts";
import { startRegistry } from "./registry/start.ts";
import { asLines, asMarkdown, asTable, rowsOf } from "./table.ts";

const { images, tags, latency, page, repeat, renovate: version, markdown } = readOptions(process.argv.slice(2));
const renovate = version === false ? null : await installRenovate(version);
// Who shares the machine blurs the ratios of time; those of requests and memory stay.
const load = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`;
const registry = await startRegistry({ images, tags, latencyMilliseconds: latency, pageSize: page });
try {
  const job = { host: registry.host, images, tags };
  const runs = { own: repeat ?? 3, renovate: repeat ?? 1 };
  const outcomes = await contest({ registry, job, runs, renovate, say: (line) => console.error(line) });
  const rows = rowsOf(outcomes);
  console.log(
    `${images} images of ${tags} tags, ${page} a page, ${latency} ms before each answer; load at first ${load}:\n`,
  );
  console.log(markdown ? asMarkdown(rows) : asTable(rows));
  console.log(`\n${asLines(judge(outcomes, images * Math.ceil(tags / page)))}`);
} finally {
  registry.close();
}
