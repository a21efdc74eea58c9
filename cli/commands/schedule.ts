import { Command } from "commander";
import { nextRunAfter, parseSchedule, type Schedule } from "../../functions/domain/schedule/schedule.ts";
import { formatRfc3339, parseRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import { exitCodes, InvalidInput } from "../exit-codes.ts";
import { validOrThrow } from "../input/parse.ts";
import { printJson, printStderr, printStdout } from "../output/print.ts";

interface Options {
  readonly after?: string;
  readonly count: string;
  readonly json?: true;
}

const maxCount = 10_000;
/** RFC3339 years have four digits. */
const lastYear = 9999;

export function createCommand(): Command {
  return new Command("schedule")
    .description(
      "Prints the next times of a schedule in UTC, one per line. The exit code is 1 if it is never due. CRON_TZ=<zone> before " +
        "the expression sets its time zone (default: UTC).",
    )
    .argument("<expression>", "five fields (minute hour day month weekday), a macro such as @daily, or @every 1h30m")
    .option("--after <time>", "start after this RFC3339 time (default: now)")
    .option("-n, --count <number>", "number of times to print", "5")
    .option("--json", "print one JSON document")
    .addHelpText("after", "\nExample:\n  pawl schedule 'CRON_TZ=Europe/Berlin 0 3 * * MON-FRI' -n 3")
    .action(printTimes);
}

function printTimes(expression: string, { after, count, json }: Options): void {
  const schedule = validOrThrow("schedule", parseSchedule(expression));
  const start = after === undefined ? new Date() : parseTime(after);
  const times = nextTimes(schedule, start, parseCount(count)).map(formatRfc3339);
  const reason = times.length > 0 ? null : `"${expression}" is never due after ${formatRfc3339(start)}`;
  if (json) printJson({ schedule: expression, after: formatRfc3339(start), times, reason });
  else printStdout(times.map((time) => `${time}\n`).join(""));
  if (reason === null) return;
  printStderr(reason);
  process.exitCode = exitCodes.noMatch;
}

function nextTimes(schedule: Schedule, start: Date, count: number): readonly Date[] {
  const times: Date[] = [];
  while (times.length < count) {
    const next = nextRunAfter(schedule, times.at(-1) ?? start);
    if (next === null || next.getUTCFullYear() > lastYear) break;
    times.push(next);
  }
  return times;
}

function parseTime(text: string): Date {
  const time = parseRfc3339(text);
  if (time === null) throw new InvalidInput(`--after: "${text}" is not a time; use the form 2026-01-31T03:00:00Z`);
  return time;
}

function parseCount(text: string): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > maxCount)
    throw new InvalidInput(`-n: "${text}" is not a whole number from 1 to ${maxCount}`);
  return count;
}
