import type { Loaded } from "./use-document.ts";

/** Says why a document is not shown. */
export function NotLoaded({ name, document }: { readonly name: string; readonly document: Loaded<never> }) {
  if (document instanceof Error) return <p role="alert">{document.message}</p>;
  return document === "loading" ? <p>Reading {name}…</p> : <p>{name} does not exist, or Pawl does not update it.</p>;
}

export function isLoaded<T extends object>(document: Loaded<T>): document is T {
  return typeof document === "object" && !(document instanceof Error);
}
