import { createContext, type Key, type ReactNode } from 'react'

import { classes } from './classes.ts'

/** A column of a table. */
export interface Column<Row> {
  readonly id: string
  readonly head: ReactNode
  readonly cell: (row: Row) => ReactNode
  /** The first of them is what the row is about: its link opens it. */
  readonly isHead?: boolean
  readonly isNumber?: boolean
  /** A width in CSS. Other columns share the rest evenly in tables over 60 rows. */
  readonly width?: string
  /** Left out on phones. */
  readonly isWide?: boolean
}

/** Properties of `Table`. */
export interface TableProps<Row> {
  /** What the table lists, for readers. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** Undefined: not known yet, or not known at all (`isLoading`: an answer is under way). */
  readonly rows: readonly Row[] | undefined
  readonly rowKey: (row: Row) => Key
  readonly isLoading?: boolean
  /** What an empty list means. It is shown only if `isWhole`: the answer is complete. */
  readonly empty?: ReactNode
  readonly isWhole?: boolean
  /** More of a row, below it on phones, where columns are left out. */
  readonly below?: ((row: Row) => ReactNode) | undefined
  /** A row that is open beside the table. */
  readonly chosen?: Key | undefined
  /** The height of a row of a table over 60 rows. */
  readonly rowHeight?: number
}

/** Whether it is in a row of a table: the keys go from row to row there, not to each time. */
export const RowContext = createContext(false)

/** One row. A click on it opens what its link opens. */
export function TableRow<Row>({
  row,
  columns,
  rowKey,
  chosen,
  below,
  index,
}: Pick<TableProps<Row>, 'columns' | 'rowKey' | 'chosen' | 'below'> & {
  readonly row: Row
  readonly index?: number
}) {
  const isChosen = chosen !== undefined && rowKey(row) === chosen
  const more = below?.(row)
  const hasMore = more !== undefined && more !== null && more !== false
  const line = (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- The link of the row does it by keys.
    <tr
      className={classes(isChosen && 'chosen', hasMore && 'with-below')}
      aria-current={isChosen ? true : undefined}
      aria-rowindex={index}
      onClick={({ target, currentTarget }) => {
        if ((target as Element).closest('a, button, input, select, label')) return
        if (getSelection()?.isCollapsed === false) return
        currentTarget.querySelector<HTMLElement>('th a')?.click()
      }}
    >
      {columns.map(({ id, cell, isHead, isNumber, isWide }) => {
        const className = classes(isNumber && 'number', isWide && 'wide')
        return isHead ? (
          <th key={id} scope="row" className={className}>
            {cell(row)}
          </th>
        ) : (
          <td key={id} className={className}>
            {cell(row)}
          </td>
        )
      })}
    </tr>
  )
  return (
    <RowContext value>
      {line}
      {hasMore && (
        <tr className="below">
          <td colSpan={columns.length}>{more}</td>
        </tr>
      )}
    </RowContext>
  )
}
