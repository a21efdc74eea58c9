export interface CronJobParts {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly suspend?: boolean;
  readonly initContainers?: readonly object[];
  /** Further fields of its pods' spec. */
  readonly pod?: object;
}

/** A CronJob that follows its tag and is next due in years: it makes no Jobs while a test looks. */
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
