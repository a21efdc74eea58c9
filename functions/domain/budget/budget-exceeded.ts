/** A workload, or its namespace, may not cost more in this poll. The message says how much of what. */
export class BudgetExceeded extends Error {
  override readonly name = "BudgetExceeded";
}

/** What one object may use of something in one poll, whatever else the poll does. */
export interface Allowance {
  /** Throws `BudgetExceeded` if that is more than is left. */
  spend(amount: number): void;
}

/** Creates an allowance. `what` names what is spent, and how to spend less of it. */
export function createAllowance(max: number, what: string): Allowance {
  let spent = 0;
  return {
    spend(amount) {
      spent += amount;
      if (spent > max) throw new BudgetExceeded(`more than ${max.toLocaleString("en-US")} ${what}`);
    },
  };
}
