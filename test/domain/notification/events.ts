import type { NotifiedEvent } from "../../../functions/domain/notification/event.ts";

export const rolledBack: NotifiedEvent = {
  id: "e-1",
  time: "2026-11-22T12:00:00Z",
  "detail-type": "Update Rolled Back",
  detail: {
    cluster: "production",
    workload: { kind: "Deployment", namespace: "shop", name: "web" },
    execution: "shop-web-1-1-0",
    currentVersion: "1.0.0",
    version: "1.1.0",
    image: "registry.example/shop/web:1.1.0",
    reason: 'not ready: "1" of 3',
  },
};

export const halted: NotifiedEvent = {
  id: "e-2",
  time: "2026-11-22T12:00:00Z",
  "detail-type": "Node Pool Rollout Halted",
  detail: { cluster: "production", nodePool: { name: "workers" }, node: "w-1", execution: null, reason: null },
};

/** An event whose reason is foreign text. */
export function withReason(reason: string): NotifiedEvent {
  return { ...rolledBack, detail: { ...rolledBack.detail, reason } };
}
