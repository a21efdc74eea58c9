import type { PodRow } from "../../detail-model.ts";
import { shorten, Time } from "../format.tsx";
import { List } from "../list.tsx";

const states = { Ready: ["●", "good"], "Not ready": ["✕", "bad"], Terminating: ["−", "quiet"] } as const;

/** The pods of each revision, and why one is not ready. */
export function Pods({ pods }: { readonly pods: readonly PodRow[] }) {
  if (pods.length === 0) return null;
  return (
    <List title="Pods" empty="" head={["Pod", "Image", "State", "Restarts", "Age", "Node"]}>
      {pods.map(({ pod, revision, image, state, cause, restarts, createdAt, node }) => [
        pod,
        <span title={`revision ${revision}`}>{shorten(image.slice(image.lastIndexOf("/") + 1))}</span>,
        <>
          <span class={`badge ${states[state][1]}`}>
            <span aria-hidden="true">{states[state][0]}</span> {state}
          </span>
          {cause === null ? null : <span class="block">{cause}</span>}
        </>,
        restarts,
        <Time at={createdAt} />,
        node ?? "–",
      ])}
    </List>
  );
}
