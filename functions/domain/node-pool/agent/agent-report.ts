import type { Activity, CommandInFlight } from "../node/bootc-node.ts";

/** One image on a node, as `bootc status` names it. */
export interface ReportedImage {
  /** The reference as it was requested. For a multi-architecture image its digest is that of the index. */
  readonly image: string;
  /** `algorithm:hex` of the manifest that the node runs. */
  readonly imageDigest: string;
  /** null if the image has no such label. The same holds for `timestamp` (RFC3339) and `architecture`. */
  readonly version: string | null;
  readonly timestamp: string | null;
  readonly architecture: string | null;
  readonly softRebootCapable: boolean;
  /** Whether the node has manual changes that bootc does not support. */
  readonly incompatible: boolean;
}

/** The images that a node reports; null if a slot of bootc is empty. */
export interface HostImages {
  readonly booted: ReportedImage;
  readonly staged: ReportedImage | null;
  readonly rollback: ReportedImage | null;
}

/** The status of a BootcNode, as the daemon of bootc-operator would write it. */
export interface AgentReport {
  /** null keeps the images of the present status. */
  readonly images: HostImages | null;
  /** null means idle. */
  readonly activity: Activity | null;
  readonly error: string | null;
  readonly observedGeneration: number;
  readonly command: CommandInFlight | null;
}
