import { useEffect, useState } from "preact/hooks";
import { getJson } from "./api.ts";

/** A document of the server, or why there is none. */
export type Loaded<T> = T | "loading" | "missing" | Error;

/** Reads a document now, after each change of `version`, and every `refreshMs`, unless that is 0. `query` never changes. */
export function useDocument<T extends object>(
  path: string,
  key: string,
  version: unknown,
  refreshMs = 0,
  query: Readonly<Record<string, string>> = {},
): Loaded<T> {
  const [document, setDocument] = useState<Loaded<T>>("loading");
  useEffect(() => {
    let isStale = false;
    const load = async () => {
      const found = await getJson<T>(path, { key, ...query }).catch((error: unknown) => error as Error);
      if (!isStale) setDocument(found ?? "missing");
    };
    void load();
    const timer = refreshMs === 0 ? undefined : setInterval(() => void load(), refreshMs);
    return () => {
      isStale = true;
      clearInterval(timer);
    };
  }, [path, key, version, refreshMs]);
  return document;
}
