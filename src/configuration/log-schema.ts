import { z } from 'zod'

import { defaultLog } from './log-config.ts'
import { described, expects } from './schema-nodes.ts'

/** The least level of the log. */
export const logLevelSchema = z
  .enum(['debug', 'info', 'warn', 'error', 'off'])
  .meta(expects("'debug', 'info', 'warn', 'error' or 'off'", 'warn'))

/** The form of lines. */
export const logFormatSchema = z
  .enum(['auto', 'json', 'pretty'])
  .meta(expects("'auto', 'json' or 'pretty'", 'json'))

const file = z.string().min(1).meta(expects('the path of a file', '/var/log/dragoman/gateway.log'))

/** The schema of `log`. */
export const logSchema = z.strictObject({
  level: described(
    logLevelSchema,
    "The least level of the operators' log. `debug` adds a line for each attempt; `off` writes none.",
    { default: defaultLog.level },
  ).optional(),
  format: described(
    logFormatSchema,
    'The form of lines: `json`, `pretty` for people, or `auto`: `pretty` on a terminal, `json` anywhere else.',
    { default: defaultLog.format },
  ).optional(),
  access: described(
    z.enum(['all', 'errors', 'off']).meta(expects("'all', 'errors' or 'off'", 'errors')),
    'Which requests the access log has: `all`, those with a line of level `error` (`errors`), or none (`off`).',
    { default: defaultLog.access },
  ).optional(),
  file: described(
    file,
    'File that both logs are appended to; a relative path starts at the configuration file. The gateway creates it with mode 0640, and its directory must exist.',
    { defaultText: 'standard error, and standard output for the access log' },
  ).optional(),
  accessFile: described(file, 'File of the access log, if it has one of its own.', {
    defaultText: '`file`',
  }).optional(),
})
