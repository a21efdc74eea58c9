import { formatRfc3339, parseRfc3339 } from "../../text/rfc3339.ts";
import type { CommandInFlight } from "../node/bootc-node.ts";

/** Formats a command as an annotation: `id kind at attempts image`, a dash for no id, and no image if it is "". */
export function formatCommand({ id, kind, image, at, attempts }: CommandInFlight): string {
  return `${id ?? "-"} ${kind} ${formatRfc3339(at)} ${attempts} ${image}`.trimEnd();
}

const pattern = /^(?<id>\S+) (?<kind>status|stage|apply) (?<at>\S+) (?<attempts>\d{1,6})(?: (?<image>\S+))?$/;

/**
 * Parses a command; null if it is invalid. The state of the node is then queried again, and every command may be sent
 * twice.
 */
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
