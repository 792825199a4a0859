/** One check of the source, disabled. At least one of the tests must fail without it. */
export interface Mutation {
  /** The check that is disabled. */
  readonly name: string
  readonly subject: Subject
  readonly file: string
  /** Source text that stands in the file exactly once. */
  readonly find: string
  readonly replace: string
  /** Test files or folders. */
  readonly tests: readonly string[]
}

export type Subject = 'tenancy' | 'chaining' | 'billing' | 'secrets'

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
