import type { AccountsQuery } from './operations.generated.ts'

/** A row of the list of accounts. */
export type AccountRow = AccountsQuery['accounts']['edges'][number]['node']
