import { defaultAdmin, defaultListen } from '../../configuration/default-addresses.ts'
import type { Endpoint } from '../../configuration/endpoints.ts'
import { isObject } from '../../lib/json/object.ts'
import { bracketed } from '../../lib/hosts.ts'
import { CommandError, type Invocation, UsageError } from '../command.ts'

/**
 * The address of the gateway that a health check asks: `--url`, `DRAGOMAN_ADMIN_URL`, or the admin address
 * of the environment and the configuration; the API's address if there is no admin address. Reads the
 * configuration only as far as the environment leaves it open, and checks nothing else in it. Rejects with
 * `UsageError`, `CommandError` or `ConfigurationError`.
 */
export async function gatewayAddress(invocation: Invocation): Promise<URL> {
  const { options, terminal } = invocation
  const given = options['url'] ?? (terminal.env['DRAGOMAN_ADMIN_URL'] || undefined)
  if (given !== undefined) return givenAddress(given)
  const { host, port } = await endpointOf(invocation)
  if (port === 0)
    throw new CommandError('The gateway listens on any free port: name it with --url.')
  const url = URL.parse(`http://${bracketed(reachable(host))}:${port}`)
  if (url) return url
  throw new CommandError('The configured address of the gateway is not valid: run `check`.')
}

function givenAddress(text: string): URL {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) {
    // Neither is of use to a probe, and both may be secret.
    url.username = url.password = url.search = url.hash = ''
    return url
  }
  throw new UsageError('The address of the gateway must be a URL such as http://127.0.0.1:8788.')
}

async function endpointOf({ options, terminal }: Invocation): Promise<Endpoint> {
  const { env, cwd } = terminal
  const [isOn, host, port] = ['DRAGOMAN_ADMIN', 'DRAGOMAN_ADMIN_HOST', 'DRAGOMAN_ADMIN_PORT'].map(
    (name) => env[name] || undefined,
  )
  if (isOn === 'on' && host !== undefined && port !== undefined) return { host, port: Number(port) }
  const { loadConfiguration } = await import('../../configuration/load.ts')
  const path = options['config'] ?? (env['DRAGOMAN_CONFIG'] || undefined)
  const loaded = await loadConfiguration({ directory: cwd, ...(path !== undefined && { path }) })
  const config = isObject(loaded?.config) ? loaded.config : {}
  const hasAdmin = isOn === undefined ? config['admin'] !== false : isOn === 'on'
  if (hasAdmin) return complete(config['admin'], { host, port }, defaultAdmin)
  const listen = {
    host: env['DRAGOMAN_HOST'] || undefined,
    port: env['DRAGOMAN_PORT'] || undefined,
  }
  return complete(config['listen'], listen, defaultListen)
}

/** The environment goes before the file, and the file before the defaults. */
function complete(
  written: unknown,
  { host, port }: { readonly host: string | undefined; readonly port: string | undefined },
  fallback: Endpoint,
): Endpoint {
  const file = isObject(written) ? written : {}
  return {
    host: host ?? (typeof file['host'] === 'string' ? file['host'] : fallback.host),
    port: Number(port ?? file['port'] ?? fallback.port),
  }
}

/** The host to connect to: clients cannot connect to an unspecified address, only servers listen on it. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  return host === '::' ? '::1' : host
}
