/** The parts of a pod that Pawl reads. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string | Date;
    readonly ownerReferences?: readonly { readonly uid: string }[];
  };
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image?: string }[] };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

interface ContainerStatus {
  readonly name: string;
  /** Empty until the image is pulled. */
  readonly imageID?: string;
}

/** Reports whether the condition `Ready` of a pod is True. */
export function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") ?? false;
}
