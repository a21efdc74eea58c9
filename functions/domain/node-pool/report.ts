import type { Activity } from "./types.ts";

/** One image that a node has, as `bootc status` names it. */
export interface ReportedImage {
  /** As it was asked for: of an image for several architectures its digest is that of the index. */
  readonly image: string;
  /** `algorithm:hex` of what the node itself runs of it. */
  readonly imageDigest: string;
  /** null where the image names none, and so it is with the time of its build (RFC3339). */
  readonly version: string | null;
  readonly timestamp: string | null;
  readonly architecture: string | null;
  readonly softRebootCapable: boolean;
  /** Whether the node was changed by hand in a way that bootc does not understand. */
  readonly incompatible: boolean;
}

/** What a node has by its own account; null where it has none such. */
export interface HostImages {
  readonly booted: ReportedImage;
  readonly staged: ReportedImage | null;
  readonly rollback: ReportedImage | null;
}

/** The command that a node without a daemon is at, kept in an annotation of its BootcNode. */
export interface CommandInFlight {
  /** null: it is to be sent, for the first time or once more. */
  readonly id: string | null;
  readonly kind: "status" | "stage" | "apply";
  /** The image that it is about, by digest; "" for a "status" that was not asked after one was applied. */
  readonly image: string;
  /** When it was sent; of one that failed, when it did; of an "apply" to be sent, when that was decided. Whole seconds. */
  readonly at: Date;
  /** How often in a row the node has failed on its way to `image`. */
  readonly attempts: number;
}

/** What a daemon would write of its node: the status of its BootcNode. */
export interface AgentReport {
  /** null leaves what stands there. */
  readonly images: HostImages | null;
  /** null is idle. */
  readonly activity: Activity | null;
  readonly error: string | null;
  readonly observedGeneration: number;
  readonly command: CommandInFlight | null;
}
