const size = 8000;
const growth = 4;
/** Less is noise, whatever the ratio. */
const noiseMicroseconds = 30_000;

/**
 * Returns how much longer work takes on a text of four times the length: 4 if it is linear, 16 if it is quadratic. Compares CPU
 * times, the least of some runs, so that a busy machine changes nothing.
 */
export function growthOf(work: (text: string) => unknown, build: (size: number) => string): number {
  const short = leastMicroseconds(work, build(size));
  const long = leastMicroseconds(work, build(size * growth));
  return long < noiseMicroseconds ? 0 : long / short;
}

function leastMicroseconds(work: (text: string) => unknown, text: string): number {
  const times = Array.from({ length: 4 }, () => {
    const before = process.cpuUsage();
    try {
      work(text);
    } catch {
      // A refusal is an outcome too.
    }
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}
