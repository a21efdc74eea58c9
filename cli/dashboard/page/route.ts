import { useEffect, useState } from "preact/hooks";

/** The page that the fragment of the address names. */
export type Route =
  | { readonly page: "workloads" }
  | { readonly page: "workload"; readonly key: string }
  | { readonly page: "pools" }
  | { readonly page: "pool"; readonly name: string }
  | { readonly page: "plan" };

export function parseRoute(hash: string): Route {
  const [, page, ...rest] = hash.split("/");
  if (page === "workload" && rest.length > 0) return { page, key: decodeURIComponent(rest.join("/")) };
  if (page === "pool" && rest.length === 1) return { page, name: decodeURIComponent(rest[0] ?? "") };
  return page === "pools" || page === "plan" ? { page } : { page: "workloads" };
}

export function linkTo(key: string): string {
  return `#/workload/${key.split("/").map(encodeURIComponent).join("/")}`;
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const listener = () => setRoute(parseRoute(location.hash));
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);
  return route;
}
