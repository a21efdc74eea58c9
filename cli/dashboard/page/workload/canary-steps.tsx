import type { CanaryStepRow } from "../../detail-model.ts";
import { Time } from "../format.tsx";

const shapes = { done: "✓", active: "▶", next: "○" } as const;
const words = { done: "done", active: "now", next: "to come" } as const;

/** The steps of a canary in their order, and which one it is in. */
export function CanarySteps({ steps }: { readonly steps: readonly CanaryStepRow[] }) {
  if (steps.length === 0) return null;
  return (
    <section aria-labelledby="canary-steps">
      <h2 id="canary-steps">Canary steps</h2>
      <ol class="steps">
        {steps.map(({ number, what, replicas, state, waitsFor, until }) => (
          <li key={number} class={state} aria-current={state === "active" ? "step" : undefined}>
            <strong>
              {number}. {what}
            </strong>
            <span>
              <span aria-hidden="true">{shapes[state]}</span> {words[state]}
              {waitsFor === null ? "" : `, waits for ${waitsFor}`}
            </span>
            {replicas === null ? null : <span>{replicas === 1 ? "1 replica" : `${replicas} replicas`}</span>}
            {until === null ? null : (
              <span>
                ends <Time at={until} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
