import type { AutoUpdate } from "../../functions/adapters/kubernetes/auto-update/object.ts";
import { parseRfc3339 } from "../../functions/domain/text/rfc3339.ts";
import { autoUpdateCrd } from "../../infra/local/kubernetes/crds.ts";
import { renderTable, type TableStream } from "./table.ts";

/** `additionalPrinterColumns` of a CustomResourceDefinition. */
interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  /** Above 0: only with `-o wide`. */
  readonly priority?: number;
}

interface Crd {
  readonly spec: { readonly versions: readonly { readonly additionalPrinterColumns: readonly PrinterColumn[] }[] };
}

/** Renders what `kubectl get autoupdates --all-namespaces` prints. */
export function autoUpdateTable(autoUpdates: readonly AutoUpdate[], now: Date, stream: TableStream): string {
  const { versions } = (autoUpdateCrd() as unknown as Crd).spec;
  const columns = (versions[0]?.additionalPrinterColumns ?? []).filter(({ priority = 0 }) => priority === 0);
  const headers = ["NAMESPACE", "NAME", ...columns.map(({ name }) => name.toUpperCase())];
  const rows = autoUpdates.map((autoUpdate) => {
    const { namespace, name } = autoUpdate.metadata;
    return [namespace, name, ...columns.map((column) => printColumn(autoUpdate, column, now))];
  });
  return renderTable(
    headers.map((header) => ({ header })),
    rows,
    { stream },
  );
}

/** Prints one value as kubectl does: nothing if it is absent, and a time as its age. */
function printColumn(object: object, { type, jsonPath }: PrinterColumn, now: Date): string {
  const value = valueAt(object, jsonPath);
  if (value === undefined || value === null) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const since = type === "date" ? parseRfc3339(text) : null;
  return since === null ? text : formatAge(Math.floor((now.getTime() - since.getTime()) / 1000));
}

/** `.field`, or `[?(@.field=="value")]` for the items of a list: the JSONPath that the columns use. */
const segmentPattern = /\.(\w+)|\[\?\(@\.(\w+)=="([^"]*)"\)\]/g;

function valueAt(object: object, jsonPath: string): unknown {
  let value: unknown = object;
  for (const [, field, key = "", expected] of jsonPath.matchAll(segmentPattern)) {
    if (typeof value !== "object" || value === null) return undefined;
    const items = value as Readonly<Record<string, unknown>>;
    value =
      field === undefined
        ? (value as readonly Readonly<Record<string, unknown>>[]).find((item) => item[key] === expected)
        : items[field];
  }
  return value;
}

/** Formats an age as `duration.HumanDuration` of Kubernetes does, up to days. */
export function formatAge(seconds: number): string {
  const [minutes, hours, days] = [60, 3600, 86_400].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  const withRest = (whole: string, rest: number, unit: string) => (rest === 0 ? whole : `${whole}${rest}${unit}`);
  if (seconds < 120) return `${Math.max(0, seconds)}s`;
  if (minutes < 10) return withRest(`${minutes}m`, seconds % 60, "s");
  if (hours < 3) return `${minutes}m`;
  if (hours < 8) return withRest(`${hours}h`, minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  return days < 8 ? withRest(`${days}d`, hours % 24, "h") : `${days}d`;
}
