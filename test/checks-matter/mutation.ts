/** One check of the source, disabled. At least one of the tests must fail without it. */
export interface Mutation {
  /** The check that is disabled. */
  readonly name: string
  /** What the check belongs to. */
  readonly subject: Subject
  readonly file: string
  /** Source text that stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** Test files or folders. */
  readonly tests: readonly string[]
}

export type Subject =
  | 'requests'
  | 'connections'
  | 'admin'
  | 'auth'
  | 'stores'
  | 'terminal'
  | 'walks'
  | 'errors'
  | 'refusals'
  | 'streams'
  | 'translation'
  | 'kept'
  | 'remote'
  | 'images'
  | 'uploads'
  | 'videos'
  | 'contracts'

/** Name of a check -> the source text that makes it, and what stands there without it. */
export type Checks = Readonly<Record<string, readonly [find: string, replace: string]>>

/** The checks of one file that the same tests are about. */
export function checksOf(
  subject: Subject,
  file: string,
  tests: readonly string[],
  checks: Checks,
): Mutation[] {
  return Object.entries(checks).map(([name, [find, replace]]) => {
    return { name, subject, file, find, replace, tests }
  })
}

/** Checks that are statements of their own, such as calls that throw. */
export function removed(statements: Readonly<Record<string, string>>): Checks {
  return Object.fromEntries(
    Object.entries(statements).map(([name, statement]) => [name, [statement, ''] as const]),
  )
}
