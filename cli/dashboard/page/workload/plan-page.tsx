import { useState } from "preact/hooks";
import { splitName } from "../../cluster-name.ts";
import type { PlanDocument, PlanRow } from "../../model.ts";
import { shorten, Time } from "../format.tsx";
import { List } from "../list.tsx";
import { NextDecision } from "../next-poll.tsx";
import { isLoaded, NotLoaded } from "../not-loaded.tsx";
import { linkTo } from "../route.ts";
import { StateBadge } from "../state-badge.tsx";
import { stateWords } from "../../../output/state-words.ts";
import { useDocument } from "../use-document.ts";

/** A dry run asks the registries, so it runs on request only. */
export function PlanPage() {
  const [run, setRun] = useState(0);
  return (
    <>
      <h1>Next poll</h1>
      <p>What the next poll would do, and why not. A dry run asks the registries and changes nothing.</p>
      <button type="button" onClick={() => setRun(run + 1)}>
        {run === 0 ? "Run" : "Run again"}
      </button>
      {run === 0 ? null : <Plan key={run} />}
    </>
  );
}

function Plan() {
  const plan = useDocument<PlanDocument>("plan", "", null);
  if (!isLoaded(plan)) return <NotLoaded name="the registries" document={plan} />;
  return (
    <>
      {plan.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      <Registries registries={plan.registries} />
      <Decisions rows={plan.rows} />
    </>
  );
}

function Registries({ registries }: Pick<PlanDocument, "registries">) {
  return (
    <List
      title="Registries"
      empty="No registry was asked."
      head={["Registry", "Asked", "Failed", "Rate limit", "Next request", "Last error"]}
    >
      {registries.map(({ host, asked, failed, rateLimit, retryAt, lastError }) => [
        host,
        asked,
        failed === 0 ? "0" : `✕ ${failed}`,
        rateLimit ?? "none reported",
        retryAt === null ? "at any time" : <Time at={retryAt} />,
        lastError ?? "–",
      ])}
    </List>
  );
}

/** More rows than this are shown by a filter. */
const maxRows = 200;

function Decisions({ rows }: Pick<PlanDocument, "rows">) {
  const [chosen, setChosen] = useState("");
  const [opened, setOpened] = useState<string | null>(null);
  const states = [...new Set(rows.map(({ state }) => state))].toSorted();
  const matching = rows.filter(({ state }) => chosen === "" || state === chosen);
  const shown = matching.slice(0, maxRows);
  const filter = (
    <p class="filters">
      <label>
        State{" "}
        <select value={chosen} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
          <option value="">all</option>
          {states.map((state) => (
            <option key={state} value={state}>
              {stateWords[state]}
            </option>
          ))}
        </select>
      </label>
      <output>
        {shown.length} of {rows.length}
      </output>
    </p>
  );
  return (
    <List
      title="Decisions"
      empty="No workload has Pawl enabled."
      head={["Workload", "State", "Now", "Next", "Why", "Tags"]}
      before={filter}
    >
      {shown.map((row) => [
        isPool(row) ? row.workload : <a href={linkTo(row.workload)}>{row.workload}</a>,
        <StateBadge state={row.state} />,
        shorten(row.current ?? "–"),
        shorten(row.candidate ?? "–"),
        shorten(row.message),
        isPool(row) ? "–" : <Candidates name={row.workload} opened={opened} onOpen={setOpened} />,
      ])}
    </List>
  );
}

function isPool({ workload }: PlanRow): boolean {
  return splitName(workload).name.startsWith("bootcnodepool/");
}

interface CandidatesProps {
  readonly name: string;
  /** The one workload whose tags are shown. */
  readonly opened: string | null;
  readonly onOpen: (name: string | null) => void;
}

/** Which tags were passed over, on request: their list may be long. */
function Candidates({ name, opened, onOpen }: CandidatesProps) {
  const isOpen = opened === name;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={`${isOpen ? "Hide" : "Show"} tags of ${name}`}
        onClick={() => onOpen(isOpen ? null : name)}
      >
        {isOpen ? "Hide" : "Show"}
      </button>
      {isOpen ? <NextDecision name={name} /> : null}
    </>
  );
}
