import type { EnvironmentVariables } from '../../configuration/secrets.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { askLittle, reasonOf } from './http.ts'

const name = 'telemetry'

/** How long a collector may take, in milliseconds. */
const longestMs = 3_000

/** The kinds of telemetry that OpenTelemetry exports; traces are exported wherever an endpoint is set. */
const signals = ['traces', 'metrics', 'logs'] as const

type Signal = (typeof signals)[number]

/** Where one kind of telemetry is sent. */
interface Target {
  readonly signal: Signal
  readonly endpoint: string
}

/**
 * Sends an empty export to each collector that the variables of OpenTelemetry name, with the headers that
 * they set. An empty export adds nothing there.
 */
export async function checkTelemetry(env: EnvironmentVariables): Promise<Finding[]> {
  if (env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true')
    return [ok(name, 'It is off (OTEL_SDK_DISABLED).')]
  const targets = signals.flatMap((signal) => targetOf(signal, env))
  if (targets.length === 0) return [ok(name, 'No collector is set (OTEL_EXPORTER_OTLP_ENDPOINT).')]
  return await Promise.all(targets.map((target) => checkTarget(target, env)))
}

function targetOf(signal: Signal, env: EnvironmentVariables): Target[] {
  const upper = signal.toUpperCase()
  const exporter = env[`OTEL_${upper}_EXPORTER`]
  const own = env[`OTEL_EXPORTER_OTLP_${upper}_ENDPOINT`]
  const common = env['OTEL_EXPORTER_OTLP_ENDPOINT']
  if (exporter === 'none') return []
  if (own) return [{ signal, endpoint: own }]
  // Metrics can be read from the gateway, and logs are on its standard output.
  const isWanted = signal === 'traces' || exporter?.split(',').includes('otlp')
  if (!common || !isWanted) return []
  return [{ signal, endpoint: `${common.replace(/\/+$/, '')}/v1/${signal}` }]
}

async function checkTarget(
  { signal, endpoint }: Target,
  env: EnvironmentVariables,
): Promise<Finding> {
  const variable = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  const url = URL.parse(endpoint)
  if (!url || !/^https?:$/.test(url.protocol)) {
    return fail(
      name,
      `The address for ${signal} is no URL of http or https.`,
      `correct ${variable}`,
    )
  }
  const upper = signal.toUpperCase()
  const protocol = env[`OTEL_EXPORTER_OTLP_${upper}_PROTOCOL`] || env['OTEL_EXPORTER_OTLP_PROTOCOL']
  const shown = url.origin
  if (protocol === 'grpc') {
    const fix =
      'set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf, and the port of the collector for it (4318)'
    return warn(name, `${signal} are sent over HTTP, and the variables name grpc.`, fix)
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
    return verdictOn((await askLittle(url, request)).status, signal, shown)
  } catch (error) {
    const fix = `start the collector, or correct ${variable}; calls are served without it`
    return fail(
      name,
      `The collector for ${signal} at ${shown} cannot be reached. ${reasonOf(error)}`,
      fix,
    )
  }
}

function verdictOn(status: number, signal: Signal, shown: string): Finding {
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
  const fix = `correct OTEL_EXPORTER_OTLP_ENDPOINT: exports go to its path with /v1/${signal} added`
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
