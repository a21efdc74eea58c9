import { useEffect, useState } from "preact/hooks";
import { clusterTime } from "./store.ts";

/** Shortens digests: `sha256:0123456789ab`. */
export function shorten(text: string): string {
  return text.replaceAll(/(sha\d+:[0-9a-f]{12})[0-9a-f]+/g, "$1");
}

function describeSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** Returns the time of the cluster, and renders the component again each second. */
export function useClusterTime(): number {
  const [now, setNow] = useState(clusterTime);
  useEffect(() => {
    const timer = setInterval(() => setNow(clusterTime()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** A time as its distance from now, which stays true: `5 min ago`, `in 20 s`. */
export function Time({ at }: { readonly at: string | null }) {
  const now = useClusterTime();
  if (at === null) return <>–</>;
  const seconds = Math.round((now - Date.parse(at)) / 1000);
  // A faster clock, as of the demo, is that far ahead by the time that a message arrives.
  const isNow = seconds < 0 && seconds > -15;
  const text = isNow ? "now" : seconds >= 0 ? `${describeSeconds(seconds)} ago` : `in ${describeSeconds(-seconds)}`;
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  );
}
