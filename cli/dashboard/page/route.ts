import { stateWords } from "../../output/state-words.ts";
import { parseView, type View } from "./view.ts";

/** The page that the fragment of the address names. */
export type Route =
  | { readonly page: "workloads"; readonly view: View }
  | { readonly page: "workload"; readonly key: string }
  | { readonly page: "pools" }
  | { readonly page: "pool"; readonly name: string }
  | { readonly page: "plan" };

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.split("?");
  const [, page, ...rest] = path.split("/");
  if (page === "workload" && rest.length > 0) return { page, key: decode(rest.join("/")) };
  if (page === "pool" && rest.length === 1) return { page, name: decode(rest[0] ?? "") };
  return page === "pools" || page === "plan" ? { page } : { page: "workloads", view: parseView(query) };
}

/** An address that a person has typed may be no encoding. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the title of a page in the browser's tabs and history. */
export function titleOf(route: Route): string {
  if (route.page === "workload") return route.key;
  if (route.page === "pool") return `Node pool ${route.name}`;
  if (route.page !== "workloads") return route.page === "pools" ? "Node pools" : "Next poll";
  const { search, cluster, namespace, kind, state } = route.view;
  const word = Object.entries(stateWords).find(([name]) => name === state)?.[1] ?? state;
  const chosen = [word, kind, namespace, cluster, search].filter((text) => text !== "");
  return ["Workloads", ...chosen].join(": ");
}

export function linkTo(key: string): string {
  return `#/workload/${key.split("/").map(encodeURIComponent).join("/")}`;
}
