import type { Hook } from "../../../functions/domain/workload/hook/hook.ts";

/** A hook with the defaults of its settings. */
export const migrate: Hook = {
  job: "migrate",
  timeoutSeconds: 600,
  usesNewImage: false,
  showsLog: false,
  rollsBack: false,
  runOn: ["update", "digest"],
};
