import type { Problem } from '../contract/problems.ts'

/** The proxies of the environment, as undici's `EnvHttpProxyAgent` takes them. `''`: none. */
export interface EnvironmentProxies {
  /** For `http:` accounts; also for others if `httpsProxy` is absent. */
  readonly httpProxy: string
  readonly httpsProxy: string
  /** Hosts that are reached directly, with commas between them. */
  readonly noProxy: string
}

/** Accounts on this machine are never proxied by the environment. */
const loopback = ['localhost', '127.0.0.1', '::1']

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, of which the names in lower case come first. `undefined`:
 * the environment names no proxy. Adds a problem for a value that is no URL of a proxy; the message does not repeat
 * the value.
 */
export function readProxies(
  env: Readonly<Record<string, string | undefined>>,
  problems: Problem[],
): EnvironmentProxies | undefined {
  const read = (name: string) => {
    const used = env[name.toLowerCase()] === undefined ? name : name.toLowerCase()
    const text = (env[used] ?? '').trim()
    // curl and others take a host without a scheme.
    const url = text === '' || /^[a-z\d+.-]+:\/\//i.test(text) ? text : `http://${text}`
    const fault = url === '' ? undefined : faultOfProxy(url)
    if (fault) problems.push({ path: used, message: fault, fix: `set ${used}=http://HOST:PORT` })
    return fault ? '' : url
  }
  const [httpProxy, httpsProxy] = [read('HTTP_PROXY'), read('HTTPS_PROXY')]
  if (httpProxy === '' && httpsProxy === '') return undefined
  const direct = env['no_proxy'] ?? env['NO_PROXY'] ?? ''
  return { httpProxy, httpsProxy, noProxy: [direct, ...loopback].join(',') }
}

/** Why a text is no URL of a proxy, without the text. `undefined`: it is one. */
export function faultOfProxy(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    return 'is not the http(s) URL of a proxy'
  }
  if (url.pathname !== '/' || url.search || url.hash) return 'has more than the address of a proxy'
  try {
    decodeURIComponent(url.username + url.password)
    return undefined
  } catch {
    return 'has credentials that are not percent-encoded'
  }
}
