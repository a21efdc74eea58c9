import type { ExternalCall } from "./fault/external-call.ts";
import type { Fault } from "./fault/fault.ts";

/** Where a fault is injected: at the n-th call of this name, once, or at it and all later ones until the fault is lifted. */
export interface Injection {
  readonly call: string;
  /** 1 for the first call of this name. */
  readonly occurrence: number;
  readonly fault: Fault;
  readonly isOnce: boolean;
}

/** Numbers the calls of a run, and says what happens to each. */
export interface Plan {
  /** Records a call; returns its fault, or null. */
  next(call: ExternalCall): Fault | null;
  /** The calls so far, oldest first. */
  readonly calls: readonly (ExternalCall & { readonly occurrence: number })[];
  /** How often the fault was injected. */
  readonly injected: number;
  lift(): void;
}

/** `given` is a fault that every run of a scenario has, unless its call gets another one; null for none. */
export function createPlan(injection: Injection | null, given: Injection | null = null): Plan {
  const calls: (ExternalCall & { readonly occurrence: number })[] = [];
  const counts = new Map<string, number>();
  let [injected, isLifted] = [0, false];
  return {
    calls,
    get injected() {
      return injected;
    },
    next(call) {
      const occurrence = (counts.get(call.name) ?? 0) + 1;
      counts.set(call.name, occurrence);
      calls.push({ ...call, occurrence });
      if (injection !== null && !isLifted && isHit(injection, call.name, occurrence)) {
        injected += 1;
        return injection.fault;
      }
      return given !== null && isHit(given, call.name, occurrence) ? given.fault : null;
    },
    lift() {
      isLifted = true;
    },
  };
}

function isHit({ call, occurrence: first, isOnce }: Injection, name: string, occurrence: number): boolean {
  return call === name && (isOnce ? occurrence === first : occurrence >= first);
}
