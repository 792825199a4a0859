export type { Column, TableProps } from './TableRow.tsx'
import type { CSSProperties } from 'react'

import { classes } from './classes.ts'
import './table.css'
import { TableRow, type TableProps } from './TableRow.tsx'
import { VirtualRows } from './VirtualRows.tsx'

/** Over so many rows, only those in view are in the document. */
const virtualOver = 60

/** A list. Its rows are in the order of the answer. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, isLoading = false, empty, isWhole = false } = props
  const isVirtual = rows !== undefined && rows.length > virtualOver
  const head = (
    <thead>
      <tr>
        {columns.map(({ id, head, isNumber, isWide, width }) => (
          <th
            key={id}
            scope="col"
            className={classes(isNumber && 'number', isWide && 'wide')}
            style={width === undefined ? undefined : ({ '--column': width } as CSSProperties)}
          >
            {head}
          </th>
        ))}
      </tr>
    </thead>
  )
  if (isVirtual) return <VirtualRows {...props} rows={rows} head={head} />
  return (
    <div className="table-frame">
      <table className="table" aria-label={label} aria-busy={isLoading}>
        {head}
        <tbody>
          {rows?.map((row) => (
            <TableRow key={props.rowKey(row)} row={row} {...props} />
          ))}
          {rows === undefined && isLoading && <LoadingRows columns={columns} />}
        </tbody>
      </table>
      {rows?.length === 0 && (isWhole ? empty : <p className="table-note">None is known.</p>)}
      {rows === undefined && !isLoading && <p className="table-note">Not known.</p>}
    </div>
  )
}

function LoadingRows<Row>({ columns }: Pick<TableProps<Row>, 'columns'>) {
  return [0, 1, 2].map((line) => (
    <tr key={line} aria-hidden="true">
      {columns.map(({ id, isWide }) => (
        <td key={id} className={isWide ? 'wide' : undefined}>
          <span className="bar-line" />
        </td>
      ))}
    </tr>
  ))
}
