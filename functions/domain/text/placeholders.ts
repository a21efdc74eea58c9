/** A part of a template. The text of a placeholder is that between its braces. */
export interface TemplatePart {
  readonly kind: "text" | "placeholder" | "unclosed";
  readonly text: string;
}

/** Splits a template at its `{{placeholders}}`. Reads each character once: `{{` without `}}` may be repeated. */
export function splitTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (let start = text.indexOf("{{"); start !== -1; start = text.indexOf("{{", end)) {
    const close = text.indexOf("}}", start + 2);
    parts.push({ kind: "text", text: text.slice(end, start) });
    if (close === -1) return [...parts, { kind: "unclosed", text: text.slice(start) }];
    parts.push({ kind: "placeholder", text: text.slice(start + 2, close) });
    end = close + 2;
  }
  return [...parts, { kind: "text", text: text.slice(end) }];
}
