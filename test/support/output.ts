import { onTestFinished, vi } from "vitest";

/** Keeps back what is written to stdout and stderr until the test ends: what was written by then, oldest first. */
export function keptOutput(): readonly string[] {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const write = vi.spyOn(stream, "write").mockImplementation((line) => written.push(String(line)) > 0);
    onTestFinished(() => write.mockRestore());
  }
  return written;
}
