import type { AccountQuery } from './operations.generated.ts'

/** The account of the page. */
export type OneAccount = NonNullable<AccountQuery['account']>
/** A call that the account was asked for. */
export type AccountCall = AccountQuery['recent']['edges'][number]['node']
/** An act on the account. */
export type AccountAct = NonNullable<AccountQuery['audit']>['edges'][number]['node']
