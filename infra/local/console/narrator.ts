import { styleText } from "node:util";
import { shortenDigests } from "../../../functions/domain/short-digests.ts";
import type { PollReport } from "../../../functions/polling/report.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import type { StateChange } from "../step-functions/execution.ts";
import { poolSubject, type Style, tellingOf } from "./looks.ts";
import { progressOf } from "./progress.ts";
import { summaryOf } from "./summary.ts";

/** Turns what happens into lines for a person, or into one JSON document a line. */
export interface Narrator {
  event(event: BusEvent): void;
  stateChange(change: StateChange): void;
  poll(report: PollReport | Error): void;
}

export interface NarratorOptions {
  readonly write: (line: string) => void;
  readonly now: () => Date;
  readonly colour: boolean;
}

export function plainNarrator({ write, now, colour }: NarratorOptions): Narrator {
  const paint = (style: Style, text: string) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const say = (style: Style, mark: string, subject: string, message: string) =>
    write(
      `${paint("dim", timeOf(now()))}  ${paint(style, `${mark} ${subject.padEnd(18)}`)}  ${shortenDigests(message)}`,
    );
  const lastProgress = new Map<string, string>();

  return {
    event(event) {
      const { style, mark, subject, message } = tellingOf(event);
      say(style, mark, subject, message);
    },
    stateChange(change) {
      const progress = progressOf(change);
      const step = `${change.execution} ${change.state}`;
      if (progress === null || lastProgress.get(step) === progress.reason) return;
      lastProgress.set(step, progress.reason);
      say("dim", "…", progress.subject, paint("dim", progress.reason));
    },
    poll(report) {
      if (report instanceof Error) return say("red", "✖", "poll", `${report.name}: ${report.message}`);
      for (const { workload, error, message } of report.failed) {
        say("red", "✖", `${workload.namespace}/${workload.name}`, `not decided: ${error}: ${message}`);
      }
      for (const { pool, error, message } of report.pools.failed) {
        say("red", "✖", pool === null ? "node pools" : poolSubject(pool.name), `not decided: ${error}: ${message}`);
      }
      say("dim", "○", "poll", paint("dim", summaryOf(report)));
    },
  };
}

export function jsonNarrator({ write, now }: NarratorOptions): Narrator {
  const say = (kind: string, content: object) => write(JSON.stringify({ kind, time: now().toISOString(), ...content }));
  return {
    event: ({ "detail-type": type, detail }) => say("event", { type, detail }),
    stateChange: ({ execution, state, type, output, error, cause }) =>
      say("state", { execution, state, type, output, error, cause }),
    poll: (report) => say("poll", report instanceof Error ? { error: report.name, message: report.message } : report),
  };
}

function timeOf(date: Date): string {
  return date.toISOString().slice(11, 19);
}
