const tickCount = 4;

interface Props {
  /** In milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

/** A time axis of an SVG, with a few times in UTC. */
export function TimeAxis({ from, until, left, right, y }: Props) {
  const ticks = Array.from({ length: tickCount + 1 }, (_, index) => index / tickCount);
  const isShort = until - from < 86_400_000;
  return (
    <g aria-hidden="true">
      <line x1={left} y1={y} x2={right} y2={y} class="axis" />
      {ticks.map((part) => {
        const x = left + part * (right - left);
        const time = new Date(from + part * (until - from)).toISOString();
        return (
          <g key={part}>
            <line x1={x} y1={y} x2={x} y2={y + 4} class="axis" />
            <text x={x} y={y + 17} text-anchor={part === 0 ? "start" : part === 1 ? "end" : "middle"}>
              {isShort ? time.slice(11, 16) : `${time.slice(5, 10)} ${time.slice(11, 16)}`}
            </text>
          </g>
        );
      })}
    </g>
  );
}
