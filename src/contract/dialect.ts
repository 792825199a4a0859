import type { DialectInfo } from './dialect-info.ts'
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
