import { shownUrl } from '../../configuration/shown-url.ts'
import { permitProxyTest, proxyTestHeader, proxyTestPath } from '../../stores/proxy-tests.ts'
import { StoreUnavailable } from '../../stores/store.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { mayContainRecords, useStore } from '../use-store.ts'
import { type Finding, fail, ok, warn } from './finding.ts'
import { type LittleAnswer, askLittle, reasonOf } from './http.ts'

const name = 'proxies'

/** How long the stream may take through all proxies, in milliseconds; it is made within one second. */
const streamMs = 8_000

/** The results of the earlier checks. */
interface ProxyOptions {
  /** Whether the store can be read. */
  readonly hasStore: boolean
  /** Whether a gateway listens on this machine. */
  readonly isServing: boolean
}

/** An event of the stream. Both times in milliseconds after the first event. */
interface Arrival {
  readonly sentMs: number
  readonly arrivedMs: number
}

/**
 * Asks the gateway for a stream through `publicUrl`, and whether its events arrive as they are sent. The
 * gateway serves it only for a secret that this writes to the store, and that ends with its use.
 */
export async function checkProxies(
  configuration: CommandConfiguration,
  { hasStore, isServing }: ProxyOptions,
): Promise<Finding> {
  const { publicUrl } = configuration.settings
  if (publicUrl === undefined)
    return ok(name, 'publicUrl is not set: there is no address of a proxy to test.')
  const shown = shownUrl(publicUrl)
  // A missing store is not created.
  if (!hasStore || !mayContainRecords(configuration)) {
    const fix = 'start a gateway on a store that stays: both share the secret of the test in it'
    return warn(name, `${shown} is not tested without a store.`, fix)
  }
  const problem = isServing ? fail : warn
  const start = 'start the gateway, and run this again'
  const secret = await useStore(configuration, permitProxyTest).catch(unlessUnavailable)
  if (secret instanceof StoreUnavailable) {
    const fix = 'give this user the right to write to the store, which the gateway needs too'
    return fail(name, `The secret of the test cannot be stored. ${secret.message}`, fix)
  }
  const url = new URL(`${publicUrl.replace(/\/+$/, '')}${proxyTestPath}`)
  const arrivals = readArrivals()
  try {
    const answer = await askLittle(url, {
      headers: { [proxyTestHeader]: secret, accept: 'text/event-stream' },
      longestMs: streamMs,
      onData: arrivals.add,
    })
    return verdictOn(answer, arrivals.list, shown, problem)
  } catch (error) {
    const fix = isServing ? 'check the proxy, its certificate and the name of its host' : start
    return problem(name, `${shown} does not answer. ${reasonOf(error)}`, fix)
  }
}

function unlessUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  throw error
}

function verdictOn(
  { status, headers }: LittleAnswer,
  arrivals: readonly Arrival[],
  shown: string,
  problem: typeof fail,
): Finding {
  if (status === 404) {
    const fix = 'let publicUrl lead to a gateway on this store and of this version, with its path'
    return problem(name, `${shown} leads to no gateway on this store (404).`, fix)
  }
  if (status === 429) {
    const fix = 'run this again; if it stays so, find out who asks for /proxy-test all the time'
    return warn(name, `${shown} is not tested: it answers 429, as if others ask for tests.`, fix)
  }
  if (status !== 200) {
    const fix =
      'let the proxy pass all paths and methods to the gateway, without a login of its own'
    return problem(name, `${shown} answers ${status}.`, fix)
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    const fix = 'compress no text/event-stream'
    return fail(name, `A proxy at ${shown} compresses streams.`, fix)
  }
  const [first, last] = [arrivals[0], arrivals.at(-1)]
  if (!first || !last || last === first)
    return fail(name, `${shown} cuts the stream off.`, 'let the proxy pass answers of any length')
  const lateMs = Math.max(...delaysOf(arrivals))
  // A stream that is held back arrives at its end; a slow network delays all events alike.
  if (last.arrivedMs - first.arrivedMs >= (last.sentMs - first.sentMs) / 2)
    return ok(name, `Streams through ${shown} arrive as they are sent.`)
  const fix =
    'switch buffering off: proxy_buffering off of nginx, annotations of an ingress (docs/ingress.md)'
  return fail(name, `A proxy at ${shown} holds streams back (${lateMs} ms).`, fix)
}

/** How much earlier than the last event each was sent, as far as it did not arrive earlier. */
function delaysOf(arrivals: readonly Arrival[]): number[] {
  const last = arrivals.at(-1)
  return arrivals.map(({ sentMs, arrivedMs }) =>
    last ? Math.max(0, last.sentMs - sentMs - (last.arrivedMs - arrivedMs)) : 0,
  )
}

/** Notes when each event arrives. */
function readArrivals() {
  const list: Arrival[] = []
  let text = ''
  return {
    list,
    add(part: string) {
      const arrivedMs = Math.round(performance.now())
      text += part
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const event of events) {
        const sentMs = Number(/"sentMs":(\d{1,6})\}$/.exec(event)?.[1])
        if (!Number.isNaN(sentMs)) list.push({ sentMs, arrivedMs })
      }
    },
  }
}
