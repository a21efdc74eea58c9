import { styleText } from "node:util";
import { abbreviateDigests } from "../../../functions/domain/image/abbreviate-digests.ts";
import { toSingleLine } from "../../../functions/domain/text/printable.ts";
import type { PollReport } from "../../../functions/workflows/poll/report.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import type { StateChange } from "../step-functions/execution.ts";
import { poolSubject, type Style, eventLine } from "./event-style.ts";
import { parseProgress } from "./progress.ts";
import { summarizeFailures, summarizePoll } from "./summary.ts";

/** Prints events, state changes and polls, as text lines or as one JSON document per line. */
export interface Reporter {
  event(event: BusEvent): void;
  stateChange(change: StateChange): void;
  poll(report: PollReport | Error): void;
}

interface ReporterOptions {
  readonly write: (line: string) => void;
  readonly now: () => Date;
  readonly colour: boolean;
  /** Whether polls that found nothing to do are printed as text, besides the first. */
  readonly verbose: boolean;
}

export function createTextReporter({ write, now, colour, verbose }: ReporterOptions): Reporter {
  const paint = (style: Style, text: string) => (colour ? styleText(style, text, { validateStream: false }) : text);
  // Subjects and messages are foreign text, so they become one line before they are painted.
  const writeLine = (style: Style, symbol: string, subject: string, message: string, messageStyle?: Style) => {
    const time = paint("dim", timeOf(now()));
    const text = abbreviateDigests(toSingleLine(message));
    const painted = messageStyle === undefined ? text : paint(messageStyle, text);
    write(`${time}  ${paint(style, `${symbol} ${toSingleLine(subject).padEnd(18)}`)}  ${painted}`);
  };
  let isFirst = true;
  const lastProgress = new Map<string, string>();

  return {
    event(event) {
      const { style, symbol, subject, message } = eventLine(event);
      writeLine(style, symbol, subject, message);
    },
    stateChange(change) {
      const progress = parseProgress(change);
      const step = `${change.execution} ${change.state}`;
      if (progress === null || lastProgress.get(step) === progress.reason) return;
      lastProgress.set(step, progress.reason);
      writeLine("dim", "…", progress.subject, progress.reason, "dim");
    },
    poll(report) {
      if (report instanceof Error) return writeLine("red", "✖", "poll", `${report.name}: ${report.message}`);
      for (const { subject, text } of summarizeFailures(report.failed)) writeLine("red", "✖", subject, text);
      for (const { pool, error, message } of report.pools.failed) {
        writeLine(
          "red",
          "✖",
          pool === null ? "node pools" : poolSubject(pool.name),
          `evaluation failed: ${error}: ${message}`,
        );
      }
      if (isFirst || verbose || !isIdle(report)) writeLine("dim", "○", "poll", summarizePoll(report), "dim");
      isFirst = false;
    },
  };
}

export function createJsonReporter({ write, now }: ReporterOptions): Reporter {
  const writeLine = (kind: string, content: object) =>
    write(JSON.stringify({ kind, time: now().toISOString(), ...content }));
  return {
    event: ({ "detail-type": type, detail }) => writeLine("event", { type, detail }),
    stateChange: ({ execution, state, type, output, error, cause }) =>
      writeLine("state", { execution, state, type, output, error, cause }),
    poll: (report) =>
      writeLine("poll", report instanceof Error ? { error: report.name, message: report.message } : report),
  };
}

/** A poll that is skipped is not idle: another one runs. */
function isIdle({ pools, skipped, ...workloads }: PollReport): boolean {
  const isQuiet = [workloads, pools].every(({ started, adopted, inFlight }) => started + adopted + inFlight === 0);
  return isQuiet && skipped === null && workloads.failed.length + pools.failed.length === 0;
}

function timeOf(date: Date): string {
  return date.toISOString().slice(11, 19);
}
