import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useRef } from 'react'

import { TableRow, type TableProps } from './TableRow.tsx'

/** A table of many rows, which scrolls by itself: only the rows in view are in the document. */
export function VirtualRows<Row>({
  head,
  rows,
  rowHeight = 34,
  ...props
}: TableProps<Row> & { readonly rows: readonly Row[]; readonly head: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => props.rowKey(rows[index]!),
  })
  const items = virtual.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A region that scrolls can be reached by keys.
    <div
      className="table-frame table-virtual"
      ref={frame}
      tabIndex={0}
      role="region"
      aria-label={props.label}
    >
      <table className="table" aria-label={props.label} aria-rowcount={rows.length + 1}>
        {head}
        <tbody>
          <Space height={before} />
          {items.map(({ index, key }) => (
            <TableRow
              key={String(key)}
              {...props}
              row={rows[index]!}
              index={index + 2}
              below={undefined}
            />
          ))}
          <Space height={after} />
        </tbody>
      </table>
    </div>
  )
}

/** In the place of rows. It has one cell: on phones the table has fewer columns. */
function Space({ height }: { readonly height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden="true" className="table-space">
      <td style={{ height }} />
    </tr>
  )
}
