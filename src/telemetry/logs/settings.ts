/** Whether logs go to a collector by OTLP. */
export interface LogsSetting {
  /** The operators' log. */
  otlp: boolean
  /** The access log as well. */
  access: boolean
}

/** The defaults, without the environment. */
export const defaultLogs: LogsSetting = { otlp: false, access: false }

type Environment = Readonly<Record<string, string | undefined>>

/** Logs go to a collector where that is asked for, and the environment does not refuse. */
export function logsIn(
  {
    otlp,
    access = false,
  }: { readonly otlp?: boolean | undefined; readonly access?: boolean | undefined },
  { OTEL_LOGS_EXPORTER: exporters = '', OTEL_SDK_DISABLED: disabled = '' }: Environment,
): LogsSetting {
  const names = exporters.split(',').map((name) => name.trim())
  const isRefused = disabled.trim().toLowerCase() === 'true' || names.includes('none')
  return { otlp: !isRefused && (otlp ?? names.includes('otlp')), access }
}
