import type { StateName } from "../../../functions/domain/state/state.ts";

/** A word and a shape for each state: none is told by its colour alone. */
const shapes: Readonly<Record<StateName, { readonly shape: string; readonly tone: string; readonly word: string }>> = {
  UpToDate: { shape: "●", tone: "good", word: "Up to date" },
  Behind: { shape: "△", tone: "warn", word: "Behind" },
  Updating: { shape: "◑", tone: "busy", word: "Updating" },
  RollingBack: { shape: "↶", tone: "warn", word: "Rolling back" },
  Waiting: { shape: "▷", tone: "busy", word: "Waiting" },
  Held: { shape: "▣", tone: "warn", word: "Held" },
  CircuitOpen: { shape: "⊘", tone: "bad", word: "Circuit open" },
  Stalled: { shape: "✕", tone: "bad", word: "Stalled" },
  NotEvaluated: { shape: "○", tone: "quiet", word: "Not evaluated" },
};

export const stateWords = Object.fromEntries(
  Object.entries(shapes).map(([state, { word }]) => [state, word]),
) as Readonly<Record<StateName, string>>;

export function StateBadge({ state }: { readonly state: StateName }) {
  const { shape, tone, word } = shapes[state];
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{shape}</span> {word}
    </span>
  );
}
