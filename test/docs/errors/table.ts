import { type ErrorCode, errorTable } from '../../../src/contract/errors.ts'
import { meanings } from './meanings.ts'

/** The name of the table in `docs/clients.md`. */
export const errorsRegion = 'errors'

interface Row {
  readonly status: number
  readonly retry?: boolean
}

/** The errors of the gateway as a table, in the order of the source. */
export function renderErrors(): string {
  const rows = Object.entries(errorTable) as [ErrorCode, Row][]
  const lines = rows.map(([code, { status, retry }]) => {
    const shown = retry === undefined ? '' : retry ? 'yes' : 'no'
    return `| \`${code}\` | ${status} | ${meanings[code]} | ${shown} |`
  })
  return ['| code | status | meaning | retry |', '|---|---|---|---|', ...lines].join('\n')
}
