type Values = (epochSeconds: number) => number | null;

interface MetricMath {
  isValid(expression: string): boolean;
  /** Returns null if there is no data point. */
  evaluate(expression: string, epochSeconds: number): number | null;
}

/** Evaluates a part of CloudWatch's metric math: numbers, ids, + - * /, parentheses and FILL(id, number). */
export function createMetricMath(valuesOf: ReadonlyMap<string, Values>): MetricMath {
  function evaluate(expression: string, time: number): number | null {
    const tokens = expression.match(/[A-Za-z_]\w*|\d+(?:\.\d+)?|\S/g) ?? [];
    const take = () => tokens.shift();
    const expect = (token: string) => {
      if (take() !== token) throw new SyntaxError(token);
    };

    function operand(): number | null {
      const token = take() ?? "";
      if (token === "(") {
        const value = sum();
        expect(")");
        return value;
      }
      if (token === "FILL") {
        expect("(");
        const value = sum();
        expect(",");
        const missing = sum();
        expect(")");
        return value ?? missing;
      }
      if (/^\d/.test(token)) return Number(token);
      const values = valuesOf.get(token);
      if (values === undefined) throw new SyntaxError(token);
      return values(time);
    }

    function product(): number | null {
      let value = operand();
      while (tokens[0] === "*" || tokens[0] === "/") value = combine(take(), value, operand());
      return value;
    }

    function sum(): number | null {
      let value = product();
      while (tokens[0] === "+" || tokens[0] === "-") value = combine(take(), value, product());
      return value;
    }

    const value = sum();
    if (tokens.length > 0) throw new SyntaxError(tokens[0]);
    return value;
  }

  return {
    evaluate,
    isValid(expression) {
      try {
        evaluate(expression, 0);
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** A division by zero has no data point. */
function combine(operator: string | undefined, left: number | null, right: number | null): number | null {
  if (left === null || right === null) return null;
  if (operator === "+") return left + right;
  if (operator === "-") return left - right;
  if (operator === "*") return left * right;
  return right === 0 ? null : left / right;
}
