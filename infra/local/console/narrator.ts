import { styleText } from "node:util";
import type { UpdateEventType } from "../../../functions/domain/news.ts";
import { shortenDigests } from "../../../functions/domain/short-digests.ts";
import type { PollReport } from "../../../functions/polling/report.ts";
import type { UpdateEventDetail } from "../../../functions/ports/events.ts";
import type { BusEvent } from "../event-bridge/bus-event.ts";
import type { StateChange } from "../step-functions/execution.ts";

type Style = Parameters<typeof styleText>[0];

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

const looks: Readonly<Record<UpdateEventType, { readonly mark: string; readonly style: Style }>> = {
  "Update Available": { mark: "•", style: "cyan" },
  "Update Started": { mark: "→", style: "blue" },
  "Canary Promoted": { mark: "»", style: "blue" },
  "Update Succeeded": { mark: "✔", style: "green" },
  "Update Rolled Back": { mark: "↩", style: "yellow" },
  "Circuit Opened": { mark: "✖", style: "red" },
  "Update Held": { mark: "‖", style: "magenta" },
};

export function plainNarrator({ write, now, colour }: NarratorOptions): Narrator {
  const paint = (style: Style, text: string) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const say = (style: Style, mark: string, subject: string, message: string) =>
    write(
      `${paint("dim", timeOf(now()))}  ${paint(style, `${mark} ${subject.padEnd(18)}`)}  ${shortenDigests(message)}`,
    );
  const lastProgress = new Map<string, string>();

  return {
    event(event) {
      const { mark, style } = looks[event["detail-type"] as UpdateEventType];
      const { workload, reason } = event.detail as unknown as UpdateEventDetail;
      say(style, mark, `${workload.namespace}/${workload.name}`, reason ?? event["detail-type"]);
    },
    stateChange(change) {
      const progress = progressOf(change);
      if (progress === null || lastProgress.get(change.execution) === progress.reason) return;
      lastProgress.set(change.execution, progress.reason);
      say("dim", "…", progress.subject, paint("dim", progress.reason));
    },
    poll(report) {
      if (report instanceof Error) return say("red", "✖", "poll", `${report.name}: ${report.message}`);
      for (const { workload, error, message } of report.failed) {
        say("red", "✖", `${workload.namespace}/${workload.name}`, `not decided: ${error}: ${message}`);
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

/** What the last look at a rollout found, where it is still moving. */
function progressOf({
  state,
  type,
  output,
}: StateChange): { readonly subject: string; readonly reason: string } | null {
  if (state !== "CheckReadiness" || type !== "TaskStateExited" || output === undefined) return null;
  const { workload, rollout } = JSON.parse(output) as {
    workload: { namespace: string; name: string };
    rollout: { kind: string; reason: string };
  };
  return rollout.kind === "progressing"
    ? { subject: `${workload.namespace}/${workload.name}`, reason: rollout.reason }
    : null;
}

function summaryOf({ looked, started, adopted, inFlight, held, problems }: PollReport): string {
  const parts = [
    [started, "started"],
    [adopted, "adopted"],
    [inFlight, "in flight"],
    [held, "held"],
    [problems, "with a problem"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return `looked at ${looked} workloads${said.length === 0 ? "" : `: ${said.join(", ")}`}`;
}

function timeOf(date: Date): string {
  return date.toISOString().slice(11, 19);
}
