import { expect, test } from "vitest";
import { createActivity } from "./activity.ts";
import { createFunctions } from "./functions.ts";
import { createPlan } from "../plan.ts";

const call = { state: "ApplyUpdate", subject: "web", timeoutSeconds: 60, isAlive: () => true };

test("a Task whose process was killed ends with its world, also if its answer was to be lost", async () => {
  const given = { call: "invoke ApplyUpdate for web", occurrence: 1, fault: "hang-lost", isOnce: true } as const;
  const functions = createFunctions({
    time: { schedule: () => undefined },
    activity: createActivity(() => []),
    plan: createPlan(given),
    isSpared: () => false,
    kill: () => undefined,
    onCrash: () => undefined,
    deleteObject: async () => undefined,
  });
  const task = functions.invokeTask(call, () => {
    functions.killAll();
    return new Promise(() => undefined);
  });
  functions.release();
  await expect(task).rejects.toThrow("Stopped");
});
