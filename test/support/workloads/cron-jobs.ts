export interface CronJobParts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly suspend?: boolean;
  readonly initContainers?: readonly object[];
  /** Additional fields of its pod spec. */
  readonly pod?: object;
}

/** Returns a CronJob that is tracked by tag and due only in years, so that it creates no Jobs during a test. */
export function cronJob(name: string, image: string, parts: CronJobParts = {}) {
  const { annotations = { "pawl.dev/auto-update": "true" }, suspend = false, initContainers = [], pod = {} } = parts;
  const containers = [
    { name: "app", image, env: [{ name: "MODE", value: "report" }] },
    { name: "sidecar", image: "registry.invalid/proxy:3.1.4" },
  ];
  const template = { spec: { restartPolicy: "Never", containers, initContainers, ...pod } };
  return {
    kind: "CronJob",
    metadata: { name, annotations },
    spec: { schedule: "0 0 29 2 *", suspend, jobTemplate: { spec: { backoffLimit: 1, template } } },
  };
}
