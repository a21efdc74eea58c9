import { readNotificationFile } from "../../infra/local/runtime/notification-file.ts";
import { createNotifier, type Notifier } from "../../infra/local/runtime/notifier.ts";
import { InvalidInput } from "../exit-codes.ts";

/** Returns the notifier of the targets in a file; without one it notifies nobody. Throws `InvalidInput` with every problem. */
export function openNotifier(file: string | undefined, warn: (message: string) => void): Notifier {
  if (file === undefined) return createNotifier([], warn);
  const read = readNotificationFile(file);
  if (read.kind === "targets") return createNotifier(read.targets, warn);
  throw new InvalidInput(`--notifications: ${read.problems.join("; ")}`);
}
