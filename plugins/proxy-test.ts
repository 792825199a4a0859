import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'

import { defineDialect } from '../src/contract/dialect.ts'
import { GatewayError } from '../src/contract/errors.ts'
import { defineOperation } from '../src/contract/operation.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'
import { unknownEndpoint } from '../src/exchange/unknown-endpoint.ts'
import { errorEnvelope } from '../src/kit/error-envelope.ts'
import {
  type ProxyTestPermits,
  openProxyTestPermits,
  proxyTestHeader,
  proxyTestPath,
} from '../src/stores/proxy-tests.ts'
import { type Store, StoreUnavailable } from '../src/stores/store.ts'

/** The events of a stream, and the pause before each further one in milliseconds. */
const events = 6
const pauseMs = 150

/** The secrets that a process looks up in a second. */
const mostLookups = 10

/** The secrets that `permitProxyTest` makes. */
const secretPattern = /^[\w-]{43}$/

/**
 * Serves the stream by which `dragoman doctor` finds out whether a proxy holds streams back: a few events
 * within a second. Each stream needs a secret of the store, which permits one. All other requests
 * get the answer of an endpoint that does not exist, and cost at most a few reads of the store a second; beyond
 * these, no secret is looked up, and the answer is 429.
 */
export function proxyTest({
  store,
  now = Date.now,
}: {
  readonly store: Pick<Store, 'records'>
  readonly now?: (() => number) | undefined
}): GatewayPlugin {
  let permits: ProxyTestPermits | undefined
  let second = 0
  let lookups = 0

  function mayLookUp(): boolean {
    const current = Math.floor(now() / 1_000)
    if (current !== second) lookups = 0
    second = current
    return ++lookups <= mostLookups
  }

  async function isPermitted(secret: unknown): Promise<boolean> {
    if (typeof secret !== 'string' || !secretPattern.test(secret)) return false
    if (!mayLookUp())
      throw new GatewayError('rate_limited', 'Too many tests are looked up. Try again in a second.')
    try {
      permits ??= openProxyTestPermits(store)
      return await permits.take(secret)
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause
      const message = 'The secret of the test cannot be looked up at the moment.'
      throw new GatewayError('lookup_unavailable', message, { cause })
    }
  }

  const stream = defineOperation({
    id: 'proxy-test.stream',
    method: 'GET',
    paths: [proxyTestPath],
    auth: 'none',
    hidden: true,
    summary: 'A stream of a second, for `dragoman doctor`',
    async serve({ request }) {
      if (!(await isPermitted(request.headers[proxyTestHeader])))
        throw unknownEndpoint(request, { meant: undefined, isDescribed: true })
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream; charset=utf-8' },
        body: Readable.from(drip()),
      }
    },
  })
  const dialect = defineDialect({
    id: 'proxy-test',
    credential: () => undefined,
    error: errorEnvelope,
    operations: [stream],
  })
  return definePlugin({ name: 'proxy-test', dialects: [dialect] })
}

/** Each event says how many milliseconds after the first it leaves. */
async function* drip(): AsyncGenerator<Buffer> {
  const startedAt = performance.now()
  for (let number = 0; number < events; number++) {
    if (number > 0) await pause(pauseMs)
    const sentMs = Math.round(performance.now() - startedAt)
    yield Buffer.from(`data: ${JSON.stringify({ number, sentMs })}\n\n`)
  }
}
