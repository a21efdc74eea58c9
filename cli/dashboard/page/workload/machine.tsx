import type { CanaryStepRow } from "../../detail-model.ts";
import { passedStates, statesOf } from "./machine-path.ts";

interface Props {
  readonly active: string | null;
  readonly steps: readonly CanaryStepRow[];
}

/** Draws the state machine: the states that the execution has passed, the active one, and those to come. */
export function MachineDiagram({ active, steps }: Props) {
  const passed = passedStates(active, steps);
  const label = `State machine: the active state is ${active ?? "unknown"}; passed: ${[...passed].join(", ") || "none"}`;
  return (
    <div class="machine" role="img" aria-label={label}>
      {statesOf(active).map(({ name, states }) => (
        <div key={name} class="lane">
          <span class="note">{name}</span>
          <ol>
            {states.map((state) => (
              <li key={state} class={state === active ? "active" : passed.has(state) ? "passed" : ""}>
                {state === active ? "▶ " : passed.has(state) ? "✓ " : ""}
                {state}
              </li>
            ))}
          </ol>
        </div>
      ))}
    </div>
  );
}
