import type { WorkloadState } from "../model.ts";

/** A word and a shape for each state: none is told by its colour alone. */
const shapes: Readonly<
  Record<WorkloadState, { readonly shape: string; readonly tone: string; readonly word: string }>
> = {
  Problem: { shape: "✕", tone: "bad", word: "Problem" },
  CircuitOpen: { shape: "⊘", tone: "bad", word: "Circuit open" },
  RollingBack: { shape: "↶", tone: "warn", word: "Rolling back" },
  Canary: { shape: "◔", tone: "busy", word: "Canary" },
  Baking: { shape: "◕", tone: "busy", word: "Bake time" },
  Updating: { shape: "◑", tone: "busy", word: "Updating" },
  Requested: { shape: "▷", tone: "busy", word: "Requested" },
  Held: { shape: "▣", tone: "warn", word: "Held" },
  Paused: { shape: "‖", tone: "warn", word: "Paused" },
  Disabled: { shape: "○", tone: "quiet", word: "Disabled" },
  UpdateAvailable: { shape: "△", tone: "busy", word: "Update available" },
  UpToDate: { shape: "●", tone: "good", word: "Up to date" },
};

export const stateWords = Object.fromEntries(
  Object.entries(shapes).map(([state, { word }]) => [state, word]),
) as Readonly<Record<WorkloadState, string>>;

export function StateBadge({ state }: { readonly state: WorkloadState }) {
  const { shape, tone, word } = shapes[state];
  return (
    <span class={`badge ${tone}`}>
      <span aria-hidden="true">{shape}</span> {word}
    </span>
  );
}
