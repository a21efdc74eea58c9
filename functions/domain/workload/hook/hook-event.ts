import { imageOfTarget, type Target } from "../target/target.ts";
import type { HookStage } from "./hook.ts";
import { aboutTarget, type UpdateEvent } from "../event/update-event.ts";

/** Reports how the Job around an update ended: `outcome` is a sentence, which the end of its log follows. */
export function hookEvent(
  target: Target,
  execution: string,
  stage: HookStage,
  {
    isSuccess,
    outcome,
    log = [],
  }: { readonly isSuccess: boolean; readonly outcome: string; readonly log?: readonly string[] },
): UpdateEvent {
  const message = [`${imageOfTarget(target)}: ${outcome} (execution ${execution})`, ...log].join("\n");
  const about = { message, ...aboutTarget(target, execution), key: `${execution} ${stage}` };
  return isSuccess
    ? { event: "Hook Succeeded", type: "Normal", reason: "AutoUpdateHookSucceeded", ...about }
    : { event: "Hook Failed", type: "Warning", reason: "AutoUpdateHookFailed", ...about };
}
