import type { StateName } from "../../../functions/domain/state/state.ts";
import { stateWords } from "../../output/state-words.ts";

/** A shape beside the word of each state: none is told by its colour alone. */
const shapes: Readonly<Record<StateName, readonly [shape: string, tone: string]>> = {
  CircuitOpen: ["⊘", "bad"],
  Stalled: ["✕", "bad"],
  RollingBack: ["↶", "warn"],
  Updating: ["◑", "busy"],
  Waiting: ["▷", "busy"],
  Held: ["▣", "warn"],
  Behind: ["△", "warn"],
  NotEvaluated: ["○", "quiet"],
  UpToDate: ["●", "good"],
};

export function StateBadge({ state }: { readonly state: StateName }) {
  const [shape, tone] = shapes[state];
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{shape}</span> {stateWords[state]}
    </span>
  );
}
