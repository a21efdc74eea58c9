import type { NodePoolSpec } from "./node-pool.ts";

/** Lists the settings of a pool that do not reach its nodes, each with what happens instead. */
export function findIgnoredSettings({ agent, rebootPolicy, pullSecretRef }: NodePoolSpec): readonly string[] {
  if (agent === "Daemon") {
    const reason = "disruption.rebootPolicy: AllowSoftReboot has no effect with a daemon; the nodes reboot completely";
    return rebootPolicy === "AllowSoftReboot" ? [reason] : [];
  }
  const reason =
    "pullSecretRef: the secret is not transferred to nodes without a daemon; put the login into their /etc/ostree/auth.json";
  return pullSecretRef === null ? [] : [reason];
}
