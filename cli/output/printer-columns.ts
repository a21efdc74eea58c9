import type { AutoUpdate } from "../../functions/adapters/kubernetes/auto-update/object.ts";
import { autoUpdateCrd } from "../../infra/local/kubernetes/crds.ts";
import { renderTable, type TableStream } from "./table.ts";

/** `additionalPrinterColumns` of a CustomResourceDefinition. */
interface PrinterColumn {
  readonly name: string;
  readonly jsonPath: string;
  /** Above 0: only with `-o wide`. */
  readonly priority?: number;
}

interface Crd {
  readonly spec: { readonly versions: readonly { readonly additionalPrinterColumns: readonly PrinterColumn[] }[] };
}

/** Renders what `kubectl get autoupdates --all-namespaces` prints. */
export function autoUpdateTable(autoUpdates: readonly AutoUpdate[], stream: TableStream): string {
  const { versions } = (autoUpdateCrd() as unknown as Crd).spec;
  const columns = (versions[0]?.additionalPrinterColumns ?? []).filter(({ priority = 0 }) => priority === 0);
  const headers = ["NAMESPACE", "NAME", ...columns.map(({ name }) => name.toUpperCase())];
  const rows = autoUpdates.map((autoUpdate) => {
    const { namespace, name } = autoUpdate.metadata;
    return [namespace, name, ...columns.map((column) => printColumn(autoUpdate, column))];
  });
  return renderTable(
    headers.map((header) => (header === "MESSAGE" ? { header, narrow: "wrap" } : { header })),
    rows,
    { stream },
  );
}

/** Returns the value at `.field.field`, the only JSONPath that these columns use, which is a text, or nothing. */
function printColumn(object: object, { jsonPath }: PrinterColumn): string {
  const value = jsonPath
    .slice(1)
    .split(".")
    .reduce<unknown>((from, field) => (from as Readonly<Record<string, unknown>> | undefined)?.[field], object);
  return typeof value === "string" ? value : "";
}
