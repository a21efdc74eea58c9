import { afterAll, beforeAll, expect, test } from "vitest";
import { isSoak, sampleSize, seed } from "../support/property-runs.ts";
import { recordCalls, runCell } from "./cell.ts";
import { cellsOf, describeCell, sampleCells, selectCalls } from "./matrix.ts";
import type { Injection } from "./plan.ts";
import type { Scenario } from "./scenario.ts";
import { plainUpdate } from "./scenarios.ts";
import { installVirtualTime, type VirtualTime } from "./world/virtual-time.ts";

/** Of each scenario. */
const size = sampleSize({ sample: 2, ci: 8 });
/** Selects the cells whose description matches, in place of a sample. */
const pattern = process.env["PAWL_FAULT_CELLS"];
/** For all cells of the largest scenario, on a busy machine. */
const timeout = isSoak ? 3 * 3_600_000 : 120_000;

/** Tests the cells of each of these scenarios: none may break an invariant. */
export function testMatrix(scenarios: readonly Scenario[]): void {
  let time: VirtualTime;
  beforeAll(() => {
    time = installVirtualTime();
  });
  afterAll(() => time[Symbol.dispose]());

  test.for(scenarios)("$name: no fault of a call breaks an invariant", { timeout }, async (scenario) => {
    const common = scenario === plainUpdate ? [] : await recordCalls(plainUpdate, time);
    const calls = selectCalls(await recordCalls(scenario, time), common);
    const all = cellsOf(calls);
    const cells = selectCells(all);
    process.stdout.write(
      `fault matrix, ${scenario.name}: ${calls.length} calls, ${all.length} cells, ${cells.length} run with PAWL_TEST_SEED=${seed}\n`,
    );
    const broken: string[] = [];
    for (const cell of cells) {
      const violations = await runCell(scenario, cell, time).catch(({ message }: Error) => [message]);
      if (violations.length === 0) continue;
      broken.push(`${describeCell(cell)}: ${violations.join("; ")}`);
      process.stdout.write(`${broken.at(-1)}\n`);
    }
    expect(broken).toEqual([]);
  });
}

function selectCells(cells: readonly Injection[]): readonly Injection[] {
  if (pattern !== undefined) return cells.filter((cell) => new RegExp(pattern).test(describeCell(cell)));
  return sampleCells(cells, size, seed);
}
