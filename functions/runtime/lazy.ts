/**
 * Returns a port that opens at the first call of a method, so that an adapter and its client load only if they are used. It opens
 * once; if that fails, the next call tries again. A method may return a promise or an async iterable. `known` are properties that
 * need no open port; an optional method that the port does not have is undefined among them.
 */
export function lazy<Port extends object>(
  open: () => Promise<Port>,
  known: { readonly [Name in keyof Port]?: Port[Name] | undefined } = {},
): Port {
  let opening: Promise<Port> | null = null;
  const call = async (name: string | symbol, args: unknown[]): Promise<unknown> => {
    opening ??= open();
    const port = await opening.catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return (Reflect.get(port, name) as (...args: unknown[]) => unknown).apply(port, args);
  };
  return new Proxy(known as Port, {
    get(target, name) {
      // With a method `then` the port would pass for a promise.
      if (name === "then" || Object.hasOwn(target, name)) return Reflect.get(target, name);
      return (...args: unknown[]) => withIterator(call(name, args));
    },
  });
}

/** Lets a promise of an async iterable be iterated as if it were the iterable. */
function withIterator(result: Promise<unknown>): Promise<unknown> {
  // Without a caller that awaits or iterates, a failed opening is no unhandled rejection.
  result.catch(() => undefined);
  return Object.assign(result, {
    async *[Symbol.asyncIterator]() {
      yield* (await result) as AsyncIterable<unknown>;
    },
  });
}
