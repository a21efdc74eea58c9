import { useEffect, useState } from "preact/hooks";
import { parseRoute, type Route } from "./route.ts";

/** Goes to an address without a new entry of the history: each key of a search would be one. */
export function replaceRoute(hash: string): void {
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const listener = () => setHash(location.hash);
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);
  return parseRoute(hash);
}
