import type { AccountDialect, DialectInfo } from './dialect-info.ts'
import type { Operation } from './operation.ts'

/**
 * A dialect: a wire format of requests and replies, as data. The kernel contains no code for a
 * particular dialect.
 */
export interface Dialect extends DialectInfo {
  readonly operations: readonly Operation[]
}

/** Returns the dialect unchanged. Gives the literal its type, and editors completion. */
export function defineDialect(dialect: Dialect): Dialect {
  return dialect
}

/** Returns the dialect unchanged, as `defineDialect` does. */
export function defineAccountDialect(dialect: AccountDialect): AccountDialect {
  return dialect
}

/** A dialect of a plugin. */
export type AnyDialect = Dialect | AccountDialect

/** Whether clients can speak a dialect. */
export function hasClients(dialect: AnyDialect): dialect is Dialect {
  return 'operations' in dialect
}

/** Whether accounts can speak a dialect. */
export function hasAccounts<D extends DialectInfo | AnyDialect>(
  dialect: D,
): dialect is D & AccountDialect {
  return dialect.upstream !== undefined
}
