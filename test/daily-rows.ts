/** True in a run of all rows, as `npm run test:heavy` makes it. */
export const isWholeRun = Boolean(process.env['ALL_ROWS'])

/**
 * The rows of a table for this run: every third one, or all in a whole run. Tables beside each other begin at
 * different rows by `nth`, so that a row that one of them leaves out is in another one.
 */
export function dailyRows<Row>(rows: readonly Row[], nth = 0): Row[] {
  return rows.filter((_, at) => isWholeRun || (at + nth) % 3 === 0)
}

/** The steps of a walk at random in this run: a quarter, or all in a whole run. */
export function dailySteps(all: number): number {
  return isWholeRun ? all : Math.ceil(all / 4)
}
