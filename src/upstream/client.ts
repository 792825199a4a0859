import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'
import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici'
import type { AccountConnection } from '../contract/account.ts'
import type { UpstreamClient } from '../contract/attempt.ts'
import type { Outbound } from '../contract/outbound.ts'
import {
  type AccountCredential,
  CredentialFailure,
  type CredentialServices,
  credentialFailureIn,
} from '../contract/credential.ts'
import { GatewayError } from '../contract/errors.ts'
import { compileForbiddenHosts } from '../lib/forbidden-hosts.ts'
import type { Log } from '../lib/log.ts'
import { isThenable } from '../lib/maybe-promise.ts'
import { createCredentialServices } from './credential-services.ts'
import type { EnvironmentProxies } from './environment-proxies.ts'
import { createProxyClient } from './proxy.ts'
import { createTrackedPool } from './tracked-client.ts'

/** Idle connections close after this time, before common servers and load balancers close them. */
const keepAliveMs = 30_000

/** What connections to all accounts have in common. */
interface UpstreamClientOptions {
  /** Milliseconds to establish a connection. */
  readonly connectMs: number
  /** The proxies of the environment. Absent: there are none. */
  readonly proxies?: EnvironmentProxies | undefined
  /** Has what becomes of credentials. Absent: it is not logged. */
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined
}

/**
 * Creates a client with a keep-alive pool per origin and way to connect. It never follows redirects, since a
 * credential could go with them. It only limits the time to connect (`connectMs`); its user enforces all
 * other deadlines, since the deadlines of undici are coarse and cannot distinguish a stalled upstream from a slow
 * client.
 */
export function createUpstreamClient(options: UpstreamClientOptions): UpstreamClient {
  const dispatchers = createDispatchers((connection) => createDispatcher(connection, options))
  const servicesOf = createCredentialServices({
    log: options.log ?? { info() {}, warn() {} },
    dispatcherOf: (connection) => dispatchers.of(connection),
  })
  return {
    send(outbound, handler, account) {
      if (outbound.answer) return outbound.answer(handler)
      const dispatcher = dispatchers.of(account?.connection)
      if (!account?.authorizer) return dispatch(dispatcher, outbound, handler)
      const services = servicesOf(account)
      authorize(outbound, account.authorizer, services, handler, (sent) =>
        dispatch(dispatchers.of(account.connection), sent, handler),
      )
    },
    async tryCredential(account) {
      try {
        await account.authorizer?.authorize(notSentRequest, servicesOf(account))
        return undefined
      } catch (error) {
        return credentialFailureIn(failureOf(error))
      }
    },
    retain: (connections) => dispatchers.retain(connections),
    close: () => dispatchers.destroy(),
  }
}

/** Sends a request when it has the credential of its account; `handler` learns if it gets none. */
function authorize(
  outbound: Outbound,
  authorizer: AccountCredential,
  services: CredentialServices,
  handler: Dispatcher.DispatchHandler,
  send: (authorized: Outbound) => void,
): void {
  const fail = (error: unknown) => handler.onResponseError?.(notSent, failureOf(error))
  try {
    const authorized = authorizer.authorize(outbound, services)
    if (isThenable(authorized)) authorized.then(send).catch(fail)
    else send(authorized)
  } catch (error) {
    fail(error)
  }
}

/** The controller of a request that was never sent. */
const notSent: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  rawHeaders: null,
  rawTrailers: null,
  abort() {},
  pause() {},
  resume() {},
}

const notSentRequest: Outbound = {
  method: 'GET',
  origin: 'http://localhost',
  path: '/',
  headers: {},
  body: null,
}

/** What a plugin's credential throws besides its failures says nothing about the account's configuration. */
function failureOf(error: unknown): Error {
  if (credentialFailureIn(error) || GatewayError.isInstance(error)) return error as Error
  return new CredentialFailure(
    'away',
    'The credential of the account fails.',
    'see the plugin of its provider',
    { cause: error },
  )
}

const common = {
  allowH2: false,
  bodyTimeout: 0,
  headersTimeout: 0,
  keepAliveTimeout: keepAliveMs,
  keepAliveMaxTimeout: keepAliveMs,
  pipelining: 1,
  factory: createTrackedPool,
} as const satisfies Agent.Options

function createDispatcher(
  connection: Omit<AccountConnection, 'id'>,
  { connectMs: commonMs, proxies }: UpstreamClientOptions,
): Dispatcher {
  const {
    proxy,
    connectMs = commonMs,
    certificate: _certificate,
    forbidden,
    ...authorities
  } = connection
  const tls = {
    timeout: connectMs,
    allowH2: false,
    ...tlsOf(connection),
    ...(forbidden && { lookup: lookupExcept(forbidden) }),
  }
  if (proxy === false || (proxy === undefined && !proxies)) {
    return new Agent({ ...common, connect: tls })
  }
  const proxied = {
    ...common,
    connectTimeout: connectMs,
    requestTls: tls,
    // The certificate of the gateway is for the account alone.
    proxyTls: { allowH2: false, ...tlsOf(authorities) },
    // Also for http: what a proxy answers by itself would otherwise look like an answer of the account.
    proxyTunnel: true,
    clientFactory: (url: URL, settings: object) => createProxyClient(url, settings, connectMs),
  }
  return proxy === undefined
    ? new EnvHttpProxyAgent({ ...proxied, connect: tls, ...proxies })
    : new ProxyAgent({ ...proxied, uri: proxy })
}

/** Resolves names within the connection itself, so that no later answer of the resolver leads elsewhere. */
function lookupExcept(entries: readonly string[]): LookupFunction {
  const forbidden = compileForbiddenHosts(entries)
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const isForbidden = addresses?.some(({ address }) => forbidden.has(address))
      const [first] = addresses ?? []
      if (error || !first) callback(error, [])
      else if (isForbidden) callback(new Error('The name leads to a forbidden address.'), [])
      else if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/** One context for all connections: to read the certificates of the system takes milliseconds. */
function tlsOf({ ca, certificate }: Pick<AccountConnection, 'ca' | 'certificate'>): {
  secureContext?: SecureContext
} {
  if (ca === undefined && !certificate) return {}
  const authorities = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }
  return { secureContext: createSecureContext({ ...authorities, ...certificate }) }
}

/** Sends a request through `agent`. `handler` receives the reply or the failure. */
function dispatch(
  agent: Dispatcher,
  { origin, method, path, headers, body, upgrade }: Outbound,
  handler: Dispatcher.DispatchHandler,
): void {
  if (body === null || Buffer.isBuffer(body)) {
    agent.dispatch({ origin, path, method, headers, body, ...(upgrade && { upgrade }) }, handler)
    return
  }
  // Many providers refuse chunked uploads, so the length is stated.
  const sized = { ...headers, 'content-length': String(body.length) }
  agent.dispatch({ origin, path, method, headers: sized, body: body.open() }, handler)
}

/** The dispatchers of accounts: one for each distinct way to make connections. */
interface Dispatchers {
  /** The dispatcher of a connection. Absent: the dispatcher that accounts without settings of their own share. */
  of(connection: AccountConnection | undefined): Dispatcher
  /** Closes the dispatchers that none of these connections needs. Requests that run go on to their end. */
  retain(connections: readonly AccountConnection[]): void
  /** Ends all connections at once. */
  destroy(): Promise<void>
}

/**
 * Dispatchers of former connections, for exchanges from before a reload: their later attempts go to their
 * account as it was.
 */
const mostFormer = 16

/** Creates the dispatchers with `create`. Each exists from its first use on. */
function createDispatchers(
  create: (connection: Omit<AccountConnection, 'id'>) => Dispatcher,
): Dispatchers {
  const common = create({})
  const open = new Map<string, Dispatcher>()
  const closing = new Set<Dispatcher>()
  let used: ReadonlySet<string> = new Set()

  function close(id: string, dispatcher: Dispatcher): void {
    open.delete(id)
    closing.add(dispatcher)
    const forget = () => void closing.delete(dispatcher)
    void dispatcher.close().then(forget, forget)
  }

  function boundFormer(): void {
    const former = [...open].filter(([id]) => !used.has(id))
    for (const [id, dispatcher] of former.slice(0, -mostFormer)) close(id, dispatcher)
  }

  return {
    of(connection) {
      if (!connection) return common
      const known = open.get(connection.id)
      if (known) return known
      const { id, ...settings } = connection
      const created = create(settings)
      open.set(id, created)
      if (!used.has(id)) boundFormer()
      return created
    },
    retain(connections) {
      used = new Set(connections.map(({ id }) => id))
      for (const [id, dispatcher] of open) if (!used.has(id)) close(id, dispatcher)
    },
    async destroy() {
      await Promise.all([common, ...open.values(), ...closing].map((one) => one.destroy()))
    },
  }
}
