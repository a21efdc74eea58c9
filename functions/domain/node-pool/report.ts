import type { Activity } from "./types.ts";

/** One image that a node has, as `bootc status` names it. */
export interface ReportedImage {
  readonly image: string;
  /** `algorithm:hex` */
  readonly imageDigest: string;
}

/** The command that a node without a daemon was last sent; null where it has none in flight. */
export interface CommandInFlight {
  readonly id: string;
  readonly kind: "status" | "stage" | "apply";
  /** The image that it is about, by digest; "" for "status". */
  readonly image: string;
}

/** What a daemon would write of its node: the status of its BootcNode. */
export interface AgentReport {
  readonly booted: ReportedImage | null;
  readonly staged: ReportedImage | null;
  readonly rollback: ReportedImage | null;
  /** null is idle. */
  readonly activity: Activity | null;
  readonly error: string | null;
  readonly observedGeneration: number;
  readonly command: CommandInFlight | null;
}
