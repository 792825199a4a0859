import { z } from 'zod'

import type { Problem } from '../contract/problems.ts'
import { type OverrideSources, overridden } from './overrides.ts'
import { expects, optional, withDefault } from './schema-nodes.ts'

const level = z
  .enum(['debug', 'info', 'warn', 'error', 'off'])
  .meta(expects("'debug', 'info', 'warn', 'error' or 'off'", 'warn'))

const format = z
  .enum(['auto', 'json', 'pretty'])
  .meta(expects("'auto', 'json' or 'pretty'", 'json'))

const file = z.string().min(1).meta(expects('the path of a file', '/var/log/dragoman/gateway.log'))

/** The schema of `log`. */
export const logSchema = z.strictObject({
  level: withDefault(
    level,
    "The least level of the operators' log. `debug` adds a line for each attempt; `off` writes none.",
    'info',
  ),
  format: withDefault(
    format,
    'The form of lines: `json`, `pretty` for people, or `auto`: `pretty` on a terminal, `json` anywhere else.',
    'auto',
  ),
  access: withDefault(
    z.enum(['all', 'errors', 'off']).meta(expects("'all', 'errors' or 'off'", 'errors')),
    'Which requests the access log has: `all`, those with a line of level `error` (`errors`), or none (`off`).',
    'all',
  ),
  file: optional(
    file,
    'File that both logs are appended to; a relative path starts at the configuration file. The gateway creates it with mode 0640, and its directory must exist.',
    'standard error, and standard output for the access log',
  ),
})

/** The settings of logs. `file` is absolute. Absent: standard error, and standard output for the access log. */
export type LogSetting = z.output<typeof logSchema>

/** Applies flags and variables, which go before the file. `absolute`: relative paths start at the file. */
export function completeLog(
  log: LogSetting,
  {
    absolute,
    ...sources
  }: OverrideSources & {
    readonly problems: Problem[]
    readonly absolute: (path: string) => string
  },
): LogSetting {
  return {
    ...log,
    level: overridden('log.level', level, sources) ?? log.level,
    format: overridden('log.format', format, sources) ?? log.format,
    ...(log.file && { file: absolute(log.file) }),
  }
}
