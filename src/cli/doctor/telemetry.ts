import type { EnvironmentVariables } from '../../configuration/secrets.ts'
import type { TelemetrySetting } from '../../telemetry/settings.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { askLittle, reasonOf } from './http.ts'

const name = 'telemetry'

/** The default of OpenTelemetry. */
const usualCollector = 'http://localhost:4318'

/** How long a collector may take, in milliseconds. */
const longestMs = 3_000

/** The kinds of telemetry that a collector gets. */
type Signal = 'traces' | 'metrics' | 'logs'

/** Where one kind of telemetry is sent. */
interface Target {
  readonly signal: Signal
  readonly endpoint: string
  /** The setting or variable that names it. */
  readonly setBy: string
}

/**
 * Sends an empty export to each collector that the configuration and the variables of OpenTelemetry name,
 * with the headers that they set. An empty export adds nothing there.
 */
export async function checkTelemetry(
  setting: TelemetrySetting,
  env: EnvironmentVariables,
): Promise<Finding[]> {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true')
    return [ok(name, 'It is off (OTEL_SDK_DISABLED).')]
  const targets = targetsOf(setting, env)
  if (targets.length === 0) return [ok(name, 'No collector is set (OTEL_EXPORTER_OTLP_ENDPOINT).')]
  return await Promise.all(targets.map((target) => checkTarget(target, env)))
}

function targetsOf(
  { traces, metrics, logs }: TelemetrySetting,
  env: EnvironmentVariables,
): Target[] {
  const exporters = env['OTEL_TRACES_EXPORTER']?.split(',').map((one) => one.trim()) ?? []
  const isExported = exporters.every((one) => one === '') || exporters.includes('otlp')
  const found: Target[] = []
  if (traces && isExported) found.push(targetOf('traces', env, traces.endpoint))
  if (metrics && metrics.otlp) found.push(targetOf('metrics', env))
  if (logs.otlp) found.push(targetOf('logs', env))
  return found
}

/** Variables go before the configuration, as the exporters read them. */
function targetOf(signal: Signal, env: EnvironmentVariables, configured?: string): Target {
  const own = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`
  const common = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  if (env[own]) return { signal, endpoint: env[own], setBy: own }
  const isConfigured = !env[common] && configured !== undefined
  const base = env[common] || (configured ?? usualCollector)
  return {
    signal,
    endpoint: `${base.replace(/\/+$/, '')}/v1/${signal}`,
    setBy: isConfigured ? `telemetry.${signal}.endpoint` : common,
  }
}

async function checkTarget(
  { signal, endpoint, setBy }: Target,
  env: EnvironmentVariables,
): Promise<Finding> {
  const url = URL.parse(endpoint)
  if (!url || !/^https?:$/.test(url.protocol)) {
    return fail(name, `The address for ${signal} is no URL of http or https.`, `correct ${setBy}`)
  }
  const upper = signal.toUpperCase()
  const protocol = env[`OTEL_EXPORTER_OTLP_${upper}_PROTOCOL`] || env['OTEL_EXPORTER_OTLP_PROTOCOL']
  const shown = url.origin
  if (protocol === 'grpc') {
    const fix =
      'set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf, and the port of the collector for it (4318)'
    const message =
      signal === 'traces'
        ? 'traces are sent by gRPC, which this command does not speak: the collector was not asked.'
        : `${signal} are sent over HTTP, and the variables name grpc.`
    return warn(name, message, fix)
  }
  const headers = {
    ...headersIn(env['OTEL_EXPORTER_OTLP_HEADERS']),
    ...headersIn(env[`OTEL_EXPORTER_OTLP_${upper}_HEADERS`]),
    ...loginOf(url),
    'content-type': 'application/x-protobuf',
  }
  url.username = url.password = ''
  try {
    const request = { method: 'POST' as const, headers, body: new Uint8Array(0), longestMs }
    return verdictOn((await askLittle(url, request)).status, signal, { shown, setBy })
  } catch (error) {
    const fix = `start the collector, or correct ${setBy}; calls are served without it`
    return fail(
      name,
      `The collector for ${signal} at ${shown} cannot be reached. ${reasonOf(error)}`,
      fix,
    )
  }
}

function verdictOn(
  status: number,
  signal: Signal,
  { shown, setBy }: { readonly shown: string; readonly setBy: string },
): Finding {
  const collector = `The collector for ${signal} at ${shown}`
  if (status >= 200 && status < 300) return ok(name, `${collector} accepts exports.`)
  if (status === 401 || status === 403) {
    const fix = 'set its credential in OTEL_EXPORTER_OTLP_HEADERS'
    return fail(name, `${collector} refuses exports (${status}).`, fix)
  }
  if (status === 429 || status >= 500)
    return warn(
      name,
      `${collector} answers ${status}.`,
      'look into the collector; exports are repeated',
    )
  const isWhole = setBy.endsWith(`_${signal.toUpperCase()}_ENDPOINT`)
  const path = isWhole ? 'its path' : `its path with /v1/${signal} added`
  const fix = `correct ${setBy}: exports go to ${path}`
  return fail(name, `${collector} takes no exports (${status}).`, fix)
}

/** `name=value,name=value`, percent-encoded (the specification of OTLP exporters). */
function headersIn(text = ''): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s).map((part) => decoded(part.trim()))
    return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e]*$/.test(value)
      ? [[name.toLowerCase(), value] as const]
      : []
  })
  return Object.fromEntries(pairs)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function loginOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const login = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')
  return { authorization: `Basic ${login}` }
}
