import { versionNameOf } from "../../../../domain/image/reference.ts";
import type { AutoUpdateStatus } from "./status-fields.ts";

/** The container whose tag is tracked, and the image in its template. */
export interface ObservedContainer {
  readonly name: string;
  readonly image: string;
}

/** Returns a status with what runs. During an update it has what ran before. What pods reported counts until the image is another one. */
export function withRunning(
  status: AutoUpdateStatus,
  observed: ObservedContainer | undefined,
  reported?: string,
): AutoUpdateStatus {
  if (observed === undefined || status.update !== undefined) return status;
  const { name, image } = observed;
  const at = image.indexOf("@");
  const known = reported ?? (status.running?.image === image ? status.running.digest : undefined);
  const digest = at === -1 ? (status.digests?.ran?.[name] ?? known) : image.slice(at + 1);
  const running = { image, version: versionNameOf(image), ...(digest === undefined ? {} : { digest }) };
  return { ...status, running };
}

/** Reports whether a status says what runs now. */
export function isRunningRecorded({ running }: AutoUpdateStatus, image: string | undefined): boolean {
  return image === undefined || running?.image === image;
}
