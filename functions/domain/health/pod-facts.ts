/** What a pod says about itself. Everything is in its status, which needs no right beyond reading pods. */
export interface PodFacts {
  readonly name: string;
  readonly phase?: string | undefined;
  /** Of the whole pod: `Evicted`, `NodeShutdown`. */
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly conditions: readonly PodConditionFacts[];
  /** Init containers first, in the order in which they start. */
  readonly containers: readonly ContainerFacts[];
}

export interface PodConditionFacts {
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

export interface ContainerFacts {
  readonly name: string;
  /** Runs to its end before the others start: an exit with code 0 is its success. */
  readonly isInit: boolean;
  readonly restarts: number;
  readonly waiting: StateFacts | null;
  /** The end of this container, or of the one before its last restart. */
  readonly terminated: TerminatedFacts | null;
}

interface StateFacts {
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

export interface TerminatedFacts extends StateFacts {
  readonly exitCode: number;
}
