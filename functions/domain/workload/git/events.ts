import { formatDuration } from "../../text/duration.ts";
import { updateHeldEvent } from "../event/events.ts";
import { aboutTarget, type UpdateEvent } from "../event/update-event.ts";
import { describeTarget } from "../target/describe-target.ts";
import type { InFlight } from "../update/in-flight.ts";
import type { Workload } from "../workload.ts";
import type { GitWrite } from "./git-write.ts";

/** A controller that reads git every few minutes has done so by then. */
const slowSeconds = 900;

/** Reports the commit that has the image of an update. */
export function committedEvent({ target, execution }: InFlight, { repository, commit = "", url }: GitWrite) {
  const page = url === undefined || url.includes(commit) ? (url ?? commit) : `${commit} (${url})`;
  const message = `The ${describeTarget(target)} is in the commit ${page} of ${repository} (execution ${execution})`;
  return { type: "Normal", reason: "AutoUpdateCommitted", message, key: `${execution} ${commit}` } as const;
}

/** Reports the pull request that has the image of an update, or of its rollback: a person may have to merge it. */
export function proposedEvent({ target, execution, phase }: InFlight, { repository, url }: GitWrite): UpdateEvent {
  const what = phase === "rollback" ? `rollback of the ${describeTarget(target)}` : describeTarget(target);
  const message = `The ${what} is in the pull request ${url} of ${repository} (execution ${execution})`;
  const held = { ...updateHeldEvent("AutoUpdateProposed", message, null), type: "Normal" } as const;
  return { ...held, ...aboutTarget(target, execution), key: `${execution} ${url}` };
}

/** Reports that a workload does not get what git names; null before that is unusual. Repeated, it is one Event. */
export function slowSyncEvent(
  { image }: Pick<Workload, "image">,
  { execution, phase }: InFlight,
  reason: string,
  waitedSeconds: number,
) {
  if (waitedSeconds < slowSeconds) return null;
  const message =
    `${reason}, for ${formatDuration(slowSeconds)} now; it still has ${image}. ` +
    "Is its Argo CD Application or Flux Kustomization suspended, or does its sync fail?";
  return { type: "Warning", reason: "AutoUpdateSyncSlow", message, key: `${execution} ${phase}` } as const;
}
