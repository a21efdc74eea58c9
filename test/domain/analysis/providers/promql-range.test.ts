import { expect, test } from "vitest";
import { promqlRangeSeconds } from "../../../../functions/domain/analysis/providers/promql-range.ts";

test.for([
  ["up", 0],
  ["sum(rate(x[5m]) or rate(y[1m])) offset 1m", 360],
  ["rate(x[1m]))", 60],
  ["rate(x[1m]) offset 1m or y offset 5m", 300],
  ["rate(x[5m])", 300],
  ['rate(x{a="[9h]", pod=~"{{args.pods}}"}[2m]) # [3d]', 120],
  ["rate(x[1m]) / rate(y[1h30m])", 5400],
  ["max_over_time(rate(x[5m])[1h:1m])", 3900],
  ["rate(x[5m] offset 10m)", 900],
  ["rate(x[5m]) offset 1h", 3900],
  ["x offset 5m", 300],
  ["rate(x[5m] offset -1m)", 300],
  ["increase(x[1m] anchored)", 60],
  ["rate(x[90])", 90],
  ["rate(x[1m30s500ms])", 91],
  ["rate(x[1d] @ start())", 86_400],
  ["rate({{args.name}}_total[5m])", 300],
  ["rate(x[2*5m])", 0],
  ["rate(x[", 0],
  ["histogram_quantile(0.99, sum by (le) (rate(b[2m])))", 120],
] as const)("%s looks back %i s", ([query, seconds]) => {
  expect(promqlRangeSeconds(query)).toBe(seconds);
});
