import type { ComponentChildren } from "preact";

interface Props {
  readonly title: string;
  /** Shown if there are no rows. */
  readonly empty: string;
  readonly head: readonly string[];
  /** Shown between the title and the table. */
  readonly before?: ComponentChildren;
  readonly children: readonly (readonly ComponentChildren[])[];
}

/** A titled table. */
export function List({ title, empty, head, before, children }: Props) {
  const id = title.toLowerCase().replaceAll(" ", "-");
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {before}
      {children.length === 0 ? (
        <p class="note">{empty}</p>
      ) : (
        <div class="wide">
          <table class="cards">
            <thead>
              <tr>
                {head.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {children.map((cells, row) => (
                <tr key={row}>
                  {cells.map((cell, column) => (
                    <td key={column} data-label={head[column]}>
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
