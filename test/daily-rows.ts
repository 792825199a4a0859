/** Chooses rows of a table of tests. */
export type Take = <Row>(rows: readonly Row[]) => Row[]

/** The rows for the daily run: every third, so that of two or four kinds in turn each is there. */
export const dailyRows: Take = (rows) => rows.filter((_, at) => at % 3 === 0)

/** The other rows, for `npm run test:heavy`. */
export const heavyRows: Take = (rows) => rows.filter((_, at) => at % 3 !== 0)
