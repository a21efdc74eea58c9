import { useRef, useState } from "preact/hooks";
import { type Action, type ActionResult, commandOf, type Verb } from "../actions.ts";
import { postAction } from "./api.ts";
import { clusterOf, useStore } from "./store.ts";

interface Props {
  readonly verbs: readonly Verb[];
  readonly target: string;
  /** Says what an action would change. */
  readonly effectOf: (action: Action) => string;
  /** Of each verb that needs one: what is asked for, and what is offered. */
  readonly arguments?: Partial<Readonly<Record<Verb, { readonly label: string; readonly offered: string }>>>;
}

/** Buttons for actions, each confirmed beside the command that does the same. None if actions are not allowed. */
export function Actions({ verbs, target, effectOf, arguments: asked = {} }: Props) {
  const context = clusterOf(useStore(), target)?.context;
  const dialog = useRef<HTMLDialogElement>(null);
  const [action, setAction] = useState<Action | null>(null);
  const [result, setResult] = useState<ActionResult | null>(null);
  if (context?.allowsActions !== true) return null;
  const open = (verb: Verb) => {
    setAction({ verb, target, argument: asked[verb]?.offered ?? null });
    dialog.current?.showModal();
  };
  const confirm = async () => {
    dialog.current?.close();
    if (action === null) return;
    const failed = (error: unknown): ActionResult => ({ isRefused: true, message: (error as Error).message });
    setResult(await postAction(action).catch(failed));
  };
  const field = action === null ? undefined : asked[action.verb];
  return (
    <div class="actions">
      {verbs.map((verb) => (
        <button key={verb} type="button" onClick={() => open(verb)}>
          {verb}
        </button>
      ))}
      <output aria-live="polite" class={result?.isRefused ? "problems" : "note"}>
        {result === null ? "" : `${result.isRefused ? "Refused: " : ""}${result.message}`}
      </output>
      <dialog ref={dialog} aria-labelledby="confirm">
        <h2 id="confirm">
          {action?.verb} {target}
        </h2>
        {field === undefined || action === null ? null : (
          <label>
            {field.label}{" "}
            <input
              value={action.argument ?? ""}
              onInput={({ currentTarget }) => setAction({ ...action, argument: currentTarget.value })}
            />
          </label>
        )}
        <p class="effect">{action === null ? "" : effectOf(action)}</p>
        <p class="note">The same as</p>
        <pre>{action === null ? "" : commandOf(action)}</pre>
        <button type="button" class="primary" onClick={() => void confirm()}>
          Confirm
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </dialog>
    </div>
  );
}
