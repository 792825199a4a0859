import { dirname, resolve } from 'node:path'

import type { z } from 'zod'

import { defined } from '../lib/json/object.ts'
import type { Problem } from '../contract/problems.ts'
import { type Flags, firstSet } from './endpoints.ts'
import { type LogSetting, defaultLog } from './log-config.ts'
import { type logSchema, logFormatSchema, logLevelSchema } from './log-schema.ts'
import type { EnvironmentVariables } from './secrets.ts'
import { checkShape } from './shape.ts'

/** The sources of `completeLog` besides the file. */
interface LogSources {
  readonly env: EnvironmentVariables
  readonly flags: Flags
  /** Absolute path of the configuration file. */
  readonly file: string | undefined
  /** The base of relative paths without a file. */
  readonly cwd: string | undefined
  readonly problems: Problem[]
}

/** Applies the defaults, and the flags and variables, which go before the file. */
export function completeLog(
  { level, format, access, file, accessFile = file }: z.infer<typeof logSchema>,
  { env, flags, file: configuration, cwd = '.', problems }: LogSources,
): LogSetting {
  const base = configuration === undefined ? cwd : dirname(configuration)
  const absolute = (path: string | undefined) => path && resolve(base, path)
  const levelSet = firstSet(
    ['--log-level', flags.logLevel],
    ['DRAGOMAN_LOG_LEVEL', env['DRAGOMAN_LOG_LEVEL']],
  )
  const formatSet = firstSet(
    ['--log-format', flags.logFormat],
    ['DRAGOMAN_LOG_FORMAT', env['DRAGOMAN_LOG_FORMAT']],
  )
  return {
    ...defaultLog,
    ...defined({ level, format, access }),
    ...defined({
      level: levelSet && checkShape(logLevelSchema, levelSet.value, levelSet.path, problems),
      format: formatSet && checkShape(logFormatSchema, formatSet.value, formatSet.path, problems),
      file: absolute(file),
      accessFile: absolute(accessFile),
    }),
  }
}
