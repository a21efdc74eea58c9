import { onTestFinished, vi } from "vitest";

/** Captures stdout and stderr until the test ends. Returns what was written, oldest first. */
export function captureOutput(): readonly string[] {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const write = vi.spyOn(stream, "write").mockImplementation((line) => written.push(String(line)) > 0);
    onTestFinished(() => write.mockRestore());
  }
  return written;
}
