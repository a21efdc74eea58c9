/** Formats an age as `duration.HumanDuration` of Kubernetes does, up to days. */
export function formatAge(seconds: number): string {
  const [minutes, hours, days] = [60, 3600, 86_400].map((unit) => Math.floor(seconds / unit)) as [
    number,
    number,
    number,
  ];
  const withRest = (whole: string, rest: number, unit: string) => (rest === 0 ? whole : `${whole}${rest}${unit}`);
  if (seconds < 120) return `${Math.max(0, seconds)}s`;
  if (minutes < 10) return withRest(`${minutes}m`, seconds % 60, "s");
  if (hours < 3) return `${minutes}m`;
  if (hours < 8) return withRest(`${hours}h`, minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  return days < 8 ? withRest(`${days}d`, hours % 24, "h") : `${days}d`;
}
