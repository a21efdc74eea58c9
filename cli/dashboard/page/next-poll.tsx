import { useState } from "preact/hooks";
import type { NextPollDocument } from "../detail-model.ts";
import { shorten, Time } from "./format.tsx";
import { isLoaded, NotLoaded } from "./not-loaded.tsx";
import { StateBadge } from "./state-badge.tsx";
import { useDocument } from "./use-document.ts";

/** What the next poll would do to a workload. Asks the registry, so on request only. */
export function NextPoll({ name }: { readonly name: string }) {
  const [run, setRun] = useState(0);
  return (
    <section aria-labelledby="next-poll">
      <h2 id="next-poll">Next poll</h2>
      <button type="button" onClick={() => setRun(run + 1)}>
        {run === 0 ? "Ask the registry" : "Ask again"}
      </button>
      {run === 0 ? null : <NextDecision key={run} name={name} />}
    </section>
  );
}

/** The decision about one workload, and each tag with the reason why it is passed over. */
export function NextDecision({ name }: { readonly name: string }) {
  const next = useDocument<NextPollDocument>("next", name, null);
  if (!isLoaded(next)) return <NotLoaded name="the registry" document={next} />;
  const { state, candidate, message, nextDue, tags, hiddenTags } = next;
  return (
    <div role="status">
      <p>
        <StateBadge state={state} />
        {candidate === null ? "" : ` ${shorten(candidate)}`}: {shorten(message)}
        {nextDue === null ? null : (
          <>
            . Due <Time at={nextDue} />
          </>
        )}
      </p>
      {tags === null || tags.length === 0 ? null : (
        <ul class="tags">
          {tags.map(({ tag, reason: passed }) => (
            <li key={tag}>
              <span aria-hidden="true">{passed === null ? "●" : "○"}</span> <code>{tag}</code>:{" "}
              {passed ?? "may be selected"}
            </li>
          ))}
          {hiddenTags.map(({ reason: passed, count }) => (
            <li key={passed} class="note">
              {count} more: {passed}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
