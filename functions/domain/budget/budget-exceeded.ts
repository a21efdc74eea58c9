import { type BudgetResource, resourceNames } from "./limits.ts";

/** A workload, or its namespace, may not cost more in this poll. The message says how much of what. */
export class BudgetExceeded extends Error {
  override readonly name = "BudgetExceeded";
}

/** Returns the error of work that its namespace cannot afford while others wait. */
export function namespaceExceeded(
  namespace: string,
  resource: BudgetResource,
  used: number,
  limit: number,
): BudgetExceeded {
  const [spent, most] = [used, limit].map((amount) => Math.round(amount).toLocaleString("en-US"));
  return new BudgetExceeded(
    `namespace ${namespace} used ${spent} ${resourceNames[resource]} of ${most}, and other namespaces waited; the next poll tries again`,
  );
}

/** What one object may use of something in one poll, whatever else the poll does. */
export interface Allowance {
  /** Throws `BudgetExceeded` if that is more than is left. */
  spend(amount: number): void;
}

/** Creates an allowance. `what` names what is spent, and how to spend less of it; `onSpend` receives each amount. */
export function createAllowance(max: number, what: string, onSpend: (amount: number) => void): Allowance {
  let spent = 0;
  return {
    spend(amount) {
      spent += amount;
      onSpend(amount);
      if (spent > max) throw new BudgetExceeded(`more than ${max.toLocaleString("en-US")} ${what}`);
    },
  };
}
