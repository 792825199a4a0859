import { completeTelemetry, telemetrySchema } from '../../configuration/telemetry-schema.ts'
import type { EnvironmentVariables } from '../../configuration/secrets.ts'
import type { TelemetrySetting } from '../../telemetry/settings.ts'
import { isDisabled, isToCollector } from '../checks/open-telemetry.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { askLittle, reasonOf } from './http.ts'

const name = 'telemetry'

/** How long a collector may take, in milliseconds. */
const longestMs = 3_000

/** The kinds of telemetry that OpenTelemetry exports. */
const signals = ['traces', 'metrics', 'logs'] as const

type Signal = (typeof signals)[number]

/** Where one kind of telemetry is sent. */
interface Target {
  readonly signal: Signal
  readonly endpoint: string
  /** The variable or the setting that names the endpoint, or could. */
  readonly source: string
  /** The path that the gateway adds to the address of the source. */
  readonly added: string
}

/** The variable with the address of the collector for all signals. */
const commonVariable = 'OTEL_EXPORTER_OTLP_ENDPOINT'

/** Where the exporters send without any setting. */
const defaultEndpoint = 'http://localhost:4318'

/**
 * Sends an empty export to each collector that the gateway would send to, with the headers that the variables
 * of OpenTelemetry set. An empty export adds nothing there. `telemetry`: the settings in effect; without a
 * valid configuration the environment's settings alone.
 */
export async function checkTelemetry(
  env: EnvironmentVariables,
  telemetry: TelemetrySetting = completeTelemetry(telemetrySchema.parse({}), env),
): Promise<Finding[]> {
  if (isDisabled(env)) return [ok(name, 'It is off (OTEL_SDK_DISABLED).')]
  const targets = signals
    .filter((signal) => isSent(signal, telemetry, env))
    .map((signal) => targetOf(signal, telemetry, env))
  if (targets.length === 0) {
    return [ok(name, `No collector is set (${commonVariable}, telemetry.traces.endpoint).`)]
  }
  return await Promise.all(targets.map((target) => checkTarget(target, env)))
}

function isSent(
  signal: Signal,
  { traces, metrics, logs }: TelemetrySetting,
  env: EnvironmentVariables,
): boolean {
  if (signal === 'traces') return traces !== false && isToCollector(env)
  return signal === 'metrics' ? metrics !== false && metrics.otlp : logs.otlp
}

function targetOf(signal: Signal, { traces }: TelemetrySetting, env: EnvironmentVariables): Target {
  const ownVariable = `OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`
  const own = env[ownVariable]
  if (own) return { signal, endpoint: own, source: ownVariable, added: '' }
  const common = env[commonVariable]
  const set = signal === 'traces' && traces !== false ? traces.endpoint : undefined
  const source = !common && set !== undefined ? 'telemetry.traces.endpoint' : commonVariable
  const base = common || (set ?? defaultEndpoint)
  const added = `/v1/${signal}`
  return { signal, endpoint: `${base.replace(/\/+$/, '')}${added}`, source, added }
}

function protocolOf(signal: Signal, env: EnvironmentVariables): string | undefined {
  const own = env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_PROTOCOL`]?.trim()
  return own || env['OTEL_EXPORTER_OTLP_PROTOCOL']?.trim()
}

async function checkTarget(target: Target, env: EnvironmentVariables): Promise<Finding> {
  const { signal, endpoint, source } = target
  const protocol = protocolOf(signal, env)
  const upper = signal.toUpperCase()
  if (protocol === 'grpc') {
    const fix = `set OTEL_EXPORTER_OTLP_${upper}_PROTOCOL=http/protobuf, and the port of the collector for it (4318)`
    return fail(name, `${signal} are sent over HTTP only, and the variables name grpc.`, fix)
  }
  const url = URL.parse(endpoint)
  if (!url || !/^https?:$/.test(url.protocol)) {
    return fail(name, `The address for ${signal} is no URL of http or https.`, `correct ${source}`)
  }
  const shown = url.origin
  const headers = {
    ...headersIn(env['OTEL_EXPORTER_OTLP_HEADERS']),
    ...headersIn(env[`OTEL_EXPORTER_OTLP_${upper}_HEADERS`]),
    ...loginOf(url),
    'content-type': 'application/x-protobuf',
  }
  url.username = url.password = ''
  try {
    const request = { method: 'POST' as const, headers, body: new Uint8Array(0), longestMs }
    return verdictOn((await askLittle(url, request)).status, target, shown)
  } catch (error) {
    const fix = `start the collector, or correct ${source}; calls are served without it`
    return fail(
      name,
      `The collector for ${signal} at ${shown} cannot be reached. ${reasonOf(error)}`,
      fix,
    )
  }
}

function verdictOn(status: number, { signal, source, added }: Target, shown: string): Finding {
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
  const path = added === '' ? 'path' : `path with ${added} added`
  const fix = `correct ${source}: exports go to its ${path}`
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
