import { type Clock, createClock } from "../../../infra/local/runtime/clock.ts";

/** A clock whose sleeps do not begin while its gate is closed, so that executions stay where they are. Open it before you close Pawl. */
interface GatedClock extends Clock {
  close(): void;
  open(): void;
}

export function createGatedClock(speed: number): GatedClock {
  const clock = createClock({ speed, since: new Date() });
  let opened: Promise<void> = Promise.resolve();
  let open = () => {};
  return {
    ...clock,
    async sleep(seconds, signal) {
      await opened;
      await clock.sleep(seconds, signal);
    },
    close() {
      ({ promise: opened, resolve: open } = Promise.withResolvers<void>());
    },
    open: () => open(),
  };
}
