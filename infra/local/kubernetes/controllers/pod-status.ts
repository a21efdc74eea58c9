interface Container {
  readonly name: string;
  readonly image?: string | undefined;
}

/** The fields of a pod that its status depends on. `Time` is a string in stored objects and a Date in client-node. */
export interface PodFields<Time> {
  readonly spec?: {
    readonly containers: readonly Container[];
    readonly initContainers?: readonly Container[] | undefined;
  };
  readonly status?: {
    readonly phase?: string | undefined;
    readonly startTime?: Time | undefined;
    readonly containerStatuses?:
      | readonly { readonly name: string; readonly image: string; readonly ready: boolean }[]
      | undefined;
  };
}

interface PodRun<Time> {
  /** The image ID of each container, by the container's name. */
  readonly imageIds: ReadonlyMap<string, string>;
  readonly isReady: boolean;
  /** Its containers have exited again and again. */
  readonly hasCrashed?: boolean;
  readonly now: Time;
}

/** Reports whether the pod's status is up to date: it runs the images of its spec and has this readiness. */
export function isReported({ spec, status }: PodFields<unknown>, isReady: boolean): boolean {
  const reported = status?.containerStatuses ?? [];
  return (
    status?.phase === "Running" &&
    reported.every(({ ready }) => ready === isReady) &&
    (spec?.containers ?? []).every(({ name, image }) =>
      reported.some((container) => container.name === name && container.image === image),
    )
  );
}

/** Returns the status that a kubelet writes for a pod whose init containers have completed and whose containers run. */
export function runningStatus<Time>(
  { spec, status }: PodFields<Time>,
  { imageIds, isReady, hasCrashed = false, now }: PodRun<Time>,
) {
  const condition = (type: string, isTrue: boolean) => ({
    type,
    status: isTrue ? "True" : "False",
    lastTransitionTime: now,
  });
  const common = ({ name, image = "" }: Container) => {
    return { name, image, imageID: imageIds.get(name) ?? "", restartCount: 0, lastState: {} };
  };
  const terminated = { exitCode: 0, reason: "Completed", startedAt: now, finishedAt: now };
  const initContainers = spec?.initContainers ?? [];
  return {
    phase: "Running",
    startTime: status?.startTime ?? now,
    conditions: [
      condition("PodScheduled", true),
      condition("Initialized", true),
      condition("ContainersReady", isReady),
      condition("Ready", isReady),
    ],
    ...(initContainers.length > 0 && {
      initContainerStatuses: initContainers.map((one) => ({ ...common(one), ready: true, state: { terminated } })),
    }),
    containerStatuses: (spec?.containers ?? []).map((one) => ({
      ...common(one),
      ready: isReady,
      started: !hasCrashed,
      state: { running: { startedAt: now } },
      ...(hasCrashed ? crashed(now) : {}),
    })),
  };
}

/** What a kubelet reports of a container that it will restart later. */
function crashed<Time>(now: Time) {
  const terminated = { exitCode: 1, reason: "Error", startedAt: now, finishedAt: now };
  return { restartCount: 3, state: { waiting: { reason: "CrashLoopBackOff" } }, lastState: { terminated } };
}
