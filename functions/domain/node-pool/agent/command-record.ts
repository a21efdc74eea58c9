import { formatRfc3339, parseRfc3339 } from "../../time.ts";
import type { CommandInFlight } from "../report.ts";

/** Writes a command as its annotation: `id kind at attempts image`, a dash for no id, and no image where it is "". */
export function formatCommand({ id, kind, image, at, attempts }: CommandInFlight): string {
  return `${id ?? "-"} ${kind} ${formatRfc3339(at)} ${attempts} ${image}`.trimEnd();
}

const pattern = /^(?<id>\S+) (?<kind>status|stage|apply) (?<at>\S+) (?<attempts>\d{1,6})(?: (?<image>\S+))?$/;

/** What cannot be read is no command: what the node is at is found out anew, and every command may be sent twice. */
export function parseCommand(text: string): CommandInFlight | null {
  const { id, kind, at, attempts, image = "" } = pattern.exec(text)?.groups ?? {};
  const time = parseRfc3339(at ?? "");
  if (time === null) return null;
  return {
    id: id === undefined || id === "-" ? null : id,
    kind: kind as CommandInFlight["kind"],
    image,
    at: time,
    attempts: Number(attempts),
  };
}
