/** What the gateway logs, how and where. A reload takes effect without a restart. */
export interface LogConfig {
  /** The least level of the operators' log. Default: `info`. */
  level?: 'debug' | 'info' | 'warn' | 'error' | 'off'
  /**
   * The form of lines: `json`, `pretty` for people, or `auto` (the default): `pretty` on a terminal, `json`
   * anywhere else.
   */
  format?: 'auto' | 'json' | 'pretty'
  /** Which requests the access log has: `all` (the default), those at level `error` (`errors`), or none. */
  access?: 'all' | 'errors' | 'off'
  /**
   * File that both logs are appended to. A relative path starts at the configuration file. Default: standard
   * error, and standard output for the access log.
   */
  file?: string
  /** File of the access log, if it has one of its own. Default: `file`. */
  accessFile?: string
}

/** The settings of logs that take effect. */
export interface LogSetting {
  level: NonNullable<LogConfig['level']>
  format: NonNullable<LogConfig['format']>
  access: NonNullable<LogConfig['access']>
  /** Absolute path. Absent: standard error. */
  file?: string
  /** Absolute path. Absent: standard output. */
  accessFile?: string
}

/** The defaults. */
export const defaultLog: LogSetting = { level: 'info', format: 'auto', access: 'all' }
