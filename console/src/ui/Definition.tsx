import type { ReactNode } from 'react'

import './definition.css'

/** Facts with their names. An unknown one (null) says so. */
export function Definition({
  items,
}: {
  readonly items: readonly (readonly [name: string, value: ReactNode] | false)[]
}) {
  return (
    <dl className="definition">
      {items.map(
        (item) =>
          item && (
            <div key={item[0]}>
              <dt>{item[0]}</dt>
              <dd>{item[1] ?? <span className="muted">unknown</span>}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
