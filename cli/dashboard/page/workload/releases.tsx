import { useState } from "preact/hooks";
import type { DiffDocument } from "../../detail-model.ts";
import type { WorkloadDetail } from "../../model.ts";
import { Time } from "../format.tsx";
import { List } from "../list.tsx";
import { isLoaded, NotLoaded } from "../not-loaded.tsx";
import { useDocument } from "../use-document.ts";

/** The releases of a workload, each with the difference of its pod template to what runs now. */
export function ReleaseList({ detail: { row, releases } }: { readonly detail: WorkloadDetail }) {
  const [compared, setCompared] = useState<number | null>(null);
  if (releases.length === 0) return null;
  return (
    <>
      <List title="Releases" empty="" head={["Release", "Version", "Result", "By", "At", "Pod template"]}>
        {releases.map(({ number, version, result, by, at, rolledBackFrom, hasSnapshot }) => [
          number,
          version,
          `${result}${rolledBackFrom === null ? "" : `, rolled back from ${rolledBackFrom}`}`,
          by,
          <Time at={at} />,
          hasSnapshot ? (
            <button
              type="button"
              aria-label={`Compare release ${number} with what runs now`}
              aria-expanded={compared === number}
              onClick={() => setCompared(compared === number ? null : number)}
            >
              Compare
            </button>
          ) : (
            "no snapshot"
          ),
        ])}
      </List>
      {compared === null ? null : <Diff key={compared} name={row.key} release={compared} changes={row} />}
    </>
  );
}

interface Props {
  readonly name: string;
  readonly release: number;
  /** The diff is read again if this has changed. */
  readonly changes: unknown;
}

function Diff({ name, release, changes }: Props) {
  const diff = useDocument<DiffDocument>("diff", name, changes, 0, { from: String(release) });
  if (!isLoaded(diff)) return <NotLoaded name={`release ${release}`} document={diff} />;
  if (diff.text === "") return <p role="status">Release {release} and what runs now have the same pod template.</p>;
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label={`Release ${release} compared with what runs now`}>
      {diff.text
        .trimEnd()
        .split("\n")
        .map((line, index) => (
          <span key={index} class={toneOf(line)}>
            {line}
            {"\n"}
          </span>
        ))}
    </pre>
  );
}

/** The sign at the begin of a line says the same as its colour. */
function toneOf(line: string): string {
  if (line.startsWith("+")) return "good";
  return line.startsWith("-") ? "bad" : "";
}
