interface Problems {
  /** Records why a source does not answer; null if it does. */
  report(source: string, problem: string | null): void;
  /** Returns the problem that has lasted longest; null if there is none. */
  first(): string | null;
}

/** Collects the problems of several sources. Calls `onChange` with the one that has lasted longest if that has changed. */
export function createProblems(onChange: (problem: string | null) => void): Problems {
  const problems = new Map<string, string>();
  const first = () => problems.values().next().value ?? null;
  return {
    first,
    report(source, problem) {
      const before = first();
      if (problem === null) problems.delete(source);
      else problems.set(source, problem);
      if (first() !== before) onChange(first());
    },
  };
}
