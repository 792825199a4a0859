/** A mistake in a configuration: its place, a message, and a fix. */
export interface Problem {
  /** `accounts[1].apiKey`, `--port`, `DRAGOMAN_PORT` or a file. */
  readonly path: string
  readonly message: string
  readonly fix: string
  /** A remark for those who see the process itself; the admin API does not show it. */
  readonly hint?: string
}

/** Thrown for an invalid configuration. The message lists every problem, each with its fix. */
export class ConfigurationError extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[], options: { cause?: unknown } = {}) {
    super(formatProblems(problems), options)
    this.name = 'ConfigurationError'
    this.problems = problems
  }
}

/** Formats all problems as text for a person. */
function formatProblems(problems: readonly Problem[]): string {
  const title = problems.length === 1 ? 'one problem' : `${problems.length} problems`
  const items = problems.map(
    ({ path, message, fix, hint }) =>
      `  ${path}\n    ${message}\n    fix: ${fix}${hint === undefined ? '' : ` (${hint})`}`,
  )
  return [`The configuration has ${title}:`, ...items].join('\n\n')
}
