/** An event as its rules would see it, with the bus that it was put on: a name or an ARN, as the caller gave it. */
export interface BusEvent {
  readonly bus: string;
  readonly id: string;
  readonly source: string;
  readonly "detail-type": string;
  readonly time: Date;
  readonly resources: readonly string[];
  readonly detail: Readonly<Record<string, unknown>>;
}
