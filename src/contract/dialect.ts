import type { DialectInfo } from './dialect-info.ts'
import type { Operation } from './operation.ts'

/**
 * A request/response dialect, as data. Everything that a dialect knows about the wire is reachable
 * from here; the kernel knows none by name.
 */
export interface Dialect extends DialectInfo {
  readonly operations: readonly Operation[]
}

/** Identity, for types and completion. */
export function defineDialect(dialect: Dialect): Dialect {
  return dialect
}
