import { versionOf } from "../../image/reference.ts";
import type { UpdateEvent } from "../events.ts";
import type { HookStage } from "./hook.ts";

/** Reports how the Job around an update ended: `outcome` is a sentence, which the end of its log follows. */
export function hookEvent(
  image: string,
  execution: string,
  stage: HookStage,
  {
    isSuccess,
    outcome,
    log = [],
  }: { readonly isSuccess: boolean; readonly outcome: string; readonly log?: readonly string[] },
): UpdateEvent {
  const message = [`${image}: ${outcome} (execution ${execution})`, ...log].join("\n");
  const about = { message, key: `${execution} ${stage}`, execution, version: versionOf(image), image };
  return isSuccess
    ? { event: "Hook Succeeded", type: "Normal", reason: "AutoUpdateHookSucceeded", ...about }
    : { event: "Hook Failed", type: "Warning", reason: "AutoUpdateHookFailed", ...about };
}
