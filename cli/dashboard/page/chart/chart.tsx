import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { useTheme } from "../theme.ts";

export interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** Of the style sheet. */
  readonly colour: "--accent" | "--warn" | "--quiet";
  /** Told apart by its dashes too, not by its colour alone. */
  readonly isDashed: boolean;
  readonly isStepped: boolean;
  /** Drawn at each point; none if it is absent. */
  readonly marks?: readonly string[];
}

interface Props {
  readonly label: string;
  /** In seconds since the epoch. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  /** Values of horizontal lines. */
  readonly lines: readonly number[];
}

/** A chart over time. All that it shows is in the text beside it too. */
export function Chart({ label, times, series, lines }: Props) {
  const target = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  useEffect(() => {
    if (target.current === null) return undefined;
    const width = Math.min(460, target.current.clientWidth);
    const chart = new uPlot({ ...optionsOf(series, lines), width, height: 170 }, dataOf(times, series), target.current);
    return () => chart.destroy();
    // The parts of a document that is read again are equal, but not the same.
  }, [JSON.stringify([times, series, lines]), theme]);
  return <div ref={target} class="chart" role="img" aria-label={label} />;
}

function dataOf(times: Props["times"], series: Props["series"]): uPlot.AlignedData {
  return [[...times], ...series.map(({ values }) => [...values])];
}

function optionsOf(series: readonly Series[], lines: readonly number[]): Omit<uPlot.Options, "width" | "height"> {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour("--text"),
    grid: { stroke: colour("--border"), width: 1 },
    ticks: { stroke: colour("--border") },
  };
  const { paths } = uPlot;
  return {
    legend: { show: false },
    cursor: { show: false },
    axes: [
      {
        ...axis,
        values: (_chart, ticks, _axis, _space, step) => ticks.map((tick) => formatTime(tick, step)),
        space: 70,
      },
      { ...axis, size: 64 },
    ],
    scales: { y: { range: (_chart, low, high) => rangeOf([...lines, low, high]) } },
    series: [
      {},
      ...series.map((one) => ({
        label: one.label,
        stroke: colour(one.colour),
        width: 2,
        points: { show: false },
        ...(one.isDashed ? { dash: [6, 4] } : {}),
        ...(one.isStepped && paths.stepped !== undefined ? { paths: paths.stepped({ align: 1 }) } : {}),
      })),
    ],
    hooks: {
      draw: [
        (chart) => {
          drawLines(chart, lines, colour("--bad"));
          series.forEach((one, index) => drawMarks(chart, one, index + 1, colour));
        },
      ],
    },
  };
}

/** Leaves some room above and below all values; a flat line is in the middle. */
function rangeOf(values: readonly (number | null)[]): [number, number] {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = low === high ? Math.abs(low) / 10 || 1 : (high - low) / 8;
  return [low - room, high + room];
}

/** With seconds if two ticks may be in the same minute. */
function formatTime(seconds: number, step: number): string {
  return new Date(seconds * 1000).toISOString().slice(11, step < 60 ? 19 : 16);
}

function drawLines(chart: uPlot, lines: readonly number[], colour: string): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([8, 5]);
  for (const line of lines) {
    const y = chart.valToPos(line, "y", true);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

/** A mark without a value is at the bottom. */
function drawMarks(
  chart: uPlot,
  { marks, values, colour: own }: Series,
  index: number,
  colour: (name: string) => string,
): void {
  if (marks === undefined) return;
  const { ctx, bbox, data } = chart;
  ctx.save();
  ctx.font = `bold ${17 * devicePixelRatio}px sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  marks.forEach((mark, at) => {
    const x = chart.valToPos(data[0][at] ?? 0, "x", true);
    const value = values[at] ?? null;
    const y = value === null ? bbox.top + bbox.height - 8 : chart.valToPos(value, "y", true);
    ctx.fillStyle = colour(mark === "✕" ? "--bad" : own);
    if (data[index] !== undefined) ctx.fillText(mark, x, y);
  });
  ctx.restore();
}
