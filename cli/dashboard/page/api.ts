import type { Action, ActionResult } from "../actions.ts";

/** Exchanges the token of the fragment for a cookie, and removes it from the address bar and the history. */
export async function exchangeToken(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return;
  await fetch("/session", { method: "POST", body: token });
  history.replaceState(null, "", "/#/workloads");
}

/** Ends the sessions of this browser, and shows what there is to sign in to. */
export async function signOut(): Promise<void> {
  await fetch("/logout", { method: "POST" });
  location.reload();
}

/** Returns why a request was refused. */
export async function readError(response: Response): Promise<string> {
  const document = (await response.json().catch(() => ({}))) as { readonly error?: string };
  return document.error ?? response.statusText;
}

/** Asks for an action. Throws with the server's reason. */
export async function postAction(action: Action): Promise<ActionResult> {
  const response = await fetch("/api/action", { method: "POST", body: JSON.stringify(action) });
  if (!response.ok) throw new Error(await readError(response));
  return (await response.json()) as ActionResult;
}

/** Reads a document; null if it does not exist. Throws with the server's reason. */
export async function getJson<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T | null> {
  const response = await fetch(`/api/${path}?${new URLSearchParams(query)}`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(await readError(response));
  return (await response.json()) as T;
}
