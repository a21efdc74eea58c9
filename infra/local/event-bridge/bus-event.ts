/** An event as EventBridge rules receive it. `bus` is the name or ARN that the caller sent. */
export interface BusEvent {
  readonly bus: string;
  readonly id: string;
  readonly source: string;
  readonly "detail-type": string;
  readonly time: Date;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
}
