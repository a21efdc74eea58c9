import { type ParseError, invalid } from "../../text/parse-error.ts";

/** How far the canary may be from the stable pods: `relative` of their value, and `absolute` beyond that. */
export interface Margin {
  /** 1 intervals for a value that is too high, -1 for one that is too low. */
  readonly direction: 1 | -1;
  /** A fraction: 0.2 is 20 %. */
  readonly relative: number;
  readonly absolute: number;
  /** As its owner wrote it. */
  readonly text: string;
}

/** The percentage is required: `20` would be an absolute margin that nothing exceeds, where 20% was meant. */
const form = /^(\d{1,5}(?:\.\d{1,3})?)%(?:\s?\+\s?(\d{1,15}(?:\.\d{1,15})?))?$/;
export const marginForm = "a margin such as 20%, 20% + 0.001 or 0% + 0.001";

type ParsedMargin = Omit<Margin, "direction"> & { readonly kind: "margin" };

/** Parses `20%` or `20% + 0.001`. */
export function parseMargin(text: string): ParsedMargin | ParseError {
  const [whole, percent, absolute = 0] = form.exec(text.trim()) ?? [];
  if (whole === undefined) return invalid(text, `is not ${marginForm}`);
  return { kind: "margin", relative: Number(percent) / 100, absolute: Number(absolute), text: whole };
}

/** Returns the value beyond which the canary is worse than the margin allows. */
export function limitOf({ direction, relative, absolute }: Margin, stable: number): number {
  return stable + direction * (Math.abs(stable) * relative + absolute);
}

/** Reports whether a value is beyond a limit. */
export function isBeyond({ direction }: Margin, value: number, limit: number): boolean {
  return direction * (value - limit) > 0;
}
