import { expect, test } from "vitest";
import { manifest, startGitPawl } from "./git-pawl.ts";

/** Only ends what hangs. */
const patient = { timeout: 240_000 };
const idle = { inFlight: null, minimum: null };
const isGood = (image: string) => !image.endsWith(":1.1.0");

type Pawl = Awaited<ReturnType<typeof startGitPawl>>;
const start = (names: readonly string[], isHealthy: (image: string) => boolean = () => true) =>
  startGitPawl(names, isHealthy, "pullRequest");
const titles = ({ host }: Pawl) => host.state.pulls.map(({ title, state }) => `${title}: ${state}`);

/** Calls what a person does once, when the first pull request is older than some hours. */
function later(pawl: Pawl, hours: number, act: (number: number) => Promise<unknown>) {
  let openedAt: number | null = null;
  let isDone = false;
  return async () => {
    const [open] = pawl.host.state.pulls.filter(({ state }) => state === "open");
    if (open === undefined || isDone) return;
    openedAt ??= pawl.now().getTime();
    if (pawl.now().getTime() - openedAt < hours * 3_600_000) return;
    isDone = true;
    await act(open.number);
  };
}

test("a pull request that is merged after two days updates the workload, and nothing is blamed", patient, async () => {
  const pawl = await start(["web"]);
  await pawl.run(later(pawl, 48, (number) => pawl.host.merge(number)));
  expect(pawl.ends.at(-1)).toBe("Updated");
  expect(pawl.ends.filter((end) => end !== "ContinuedAsNew")).toEqual(["Updated"]);
  expect(await pawl.workloads()).toEqual([{ ...idle, name: "web", tag: "1.1.0", results: ["1.1.0 Healthy"] }]);
  expect(titles(pawl)).toEqual(["Update shop/web to 1.1.0: closed"]);
  expect(await pawl.read("web")).toBe(manifest("web", `${pawl.image}:1.1.0`));
});
