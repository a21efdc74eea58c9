/** The states of `workload-update` that take time, in the order of an update. */
const rows: readonly (readonly string[])[] = [
  ["StartCanary", "CheckCanary", "AnalyzeCanary"],
  ["ApplyUpdate", "CheckReadiness", "AnalyzeRollout", "RecordSuccess"],
  ["RollBack", "CheckRollback", "OpenCircuit"],
];
const others = new Set<string | null>(["RestoreRelease", "CheckHook"]);

/** Shows the state machine with the active state. */
export function MachineDiagram({ active }: { readonly active: string | null }) {
  const shown = others.has(active) ? [[active as string], ...rows] : rows;
  return (
    <div class="machine" role="img" aria-label={`State machine: the active state is ${active ?? "unknown"}`}>
      {shown.map((states) => (
        <ol key={states[0]}>
          {states.map((state) => (
            <li key={state} class={state === active ? "active" : ""}>
              {state === active ? "▶ " : ""}
              {state}
            </li>
          ))}
        </ol>
      ))}
    </div>
  );
}
