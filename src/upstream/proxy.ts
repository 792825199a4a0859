import { type Dispatcher, Pool } from 'undici'

import { reasonOfCode } from './reason-of-code.ts'

/**
 * The failure of a proxy to connect to an account. Its message names the host of the proxy and no
 * credential, for operators.
 */
class ProxyFailure extends Error {
  /** The code of the error of the connection to the proxy, or `ERR_PROXY`. */
  readonly code: string

  constructor(message: string, code = 'ERR_PROXY', options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProxyFailure'
    this.code = code
  }
}

/** The failure of a proxy behind an error, if that is the cause. */
export function proxyFailureIn(error: unknown, levels = 4): ProxyFailure | undefined {
  if (error instanceof ProxyFailure) return error
  const { cause } = Object(error) as { cause?: unknown }
  return cause === undefined || levels === 0 ? undefined : proxyFailureIn(cause, levels - 1)
}

type Connect = (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData>

/**
 * Creates the client that asks a proxy for connections (`CONNECT`), within `connectMs` each. Failures are
 * of the class `ProxyFailure`, so that they differ from those of the account behind the proxy.
 */
export function createProxyClient(url: URL, options: object, connectMs: number): Dispatcher {
  const pool = new Pool(url.origin, { ...options, allowH2: false, headersTimeout: connectMs })
  const open: Connect = pool.connect.bind(pool)
  const connect: Connect = async (request) => {
    const answer = await open(request).catch((error: unknown) => {
      throw unreachable(url.host, error)
    })
    if (answer.statusCode === 200) return answer
    answer.socket.on('error', () => {}).destroy()
    throw refused(url.host, answer.statusCode)
  }
  return Object.assign(pool, { connect })
}

function refused(host: string, status: number): ProxyFailure {
  const why = status === 407 ? 'its credentials are missing or wrong' : 'it does not connect'
  return new ProxyFailure(`The proxy ${host} answers with the status ${status}: ${why}.`)
}

/** Codes that say the same of a proxy as of an account. undici repeats a request after some others. */
const sharedCodes = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/
const late = /^UND_ERR_(?:CONNECT|HEADERS)_TIMEOUT$/

function unreachable(host: string, error: unknown): ProxyFailure {
  const { code } = Object(error) as { code?: unknown }
  if (typeof code !== 'string') return new ProxyFailure(`The proxy ${host} cannot be used.`)
  if (late.test(code)) {
    const message = `The proxy ${host} does not answer in time.`
    return new ProxyFailure(message, 'UND_ERR_CONNECT_TIMEOUT', { cause: error })
  }
  const shared = sharedCodes.test(code) ? code : undefined
  const message = `The proxy ${host} cannot be used. ${reasonOfCode(code)}`
  return new ProxyFailure(message, shared, { cause: error })
}
