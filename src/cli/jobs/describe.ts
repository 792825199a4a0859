import type { Invocation } from '../command.ts'
import type { JobNode } from '../remote/nodes.ts'
import { alignColumns } from '../table.ts'

/** The columns of a table of jobs. */
export const jobTitles = [
  'ID',
  'KIND',
  'STATE',
  'PROGRESS',
  'KEY',
  'ACCOUNT',
  'MODEL',
  'CREATED',
  'EXPIRES',
  'ERROR',
]

/** The row of a job. */
export function jobRow(job: JobNode): string[] {
  const { id, kind, state, progress, keyId, accountId, model, createdAt, expiresAt, error } = job
  const failure = error ? `${error.code}: ${error.message}` : ''
  const shown = state.toLowerCase()
  return [
    id,
    kind.toLowerCase().replace('_', '-'),
    shown,
    `${progress}%`,
    keyId,
    accountId,
    model,
    createdAt,
    expiresAt ?? '',
    failure,
  ]
}

/** Prints one job. */
export function printJob({ terminal, options }: Invocation, job: JobNode): void {
  if (options['json'] !== undefined) terminal.out(JSON.stringify(job))
  else terminal.out(alignColumns([jobTitles, jobRow(job)]).join('\n'))
}
