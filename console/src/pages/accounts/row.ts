import type { AccountRowFragment } from './operations.generated.ts'

/** A row of the list of accounts. */
export type AccountRow = AccountRowFragment
