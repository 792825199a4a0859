import { Latencies } from '../accounts/latencies.ts'
import { AccountSlots } from '../accounts/slots.ts'
import type { ClientGonePolicy, Limits, Timeouts } from '../contract/limits.ts'
import type { TranslationServices } from '../contract/services.ts'
import type { Log } from '../lib/log.ts'
import type { Hooks } from '../hooks/compose.ts'
import { createTicker } from '../lib/ticker.ts'
import { createTranslationServices } from '../translate/services.ts'
import { createUpstreamClient } from '../upstream/client.ts'
import type { EnvironmentProxies } from '../upstream/environment-proxies.ts'
import type { AttemptEnvironment } from '../upstream/environment.ts'

/** The parts of an environment that a gateway is given. */
interface EnvironmentParts {
  readonly hooks: Hooks
  readonly timeouts: Timeouts
  readonly limits: Limits
  /** Default: `abort`. */
  readonly clientGone?: ClientGonePolicy | undefined
  /** The proxies of the environment. Default: none. */
  readonly proxies?: EnvironmentProxies | undefined
  /** Has what becomes of the credentials of accounts. Default: it is not logged. */
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined
  /** The slots of accounts, for what shows them. Default: their own. */
  readonly slots?: AccountSlots | undefined
  /** Default: services that store signatures in memory only. */
  readonly translation?: TranslationServices | undefined
}

/** Creates the environment of all attempts of a gateway. Its owner closes its client and its ticker. */
export function createEnvironment(parts: EnvironmentParts): AttemptEnvironment {
  const { hooks, timeouts, limits, clientGone = 'abort', slots = new AccountSlots() } = parts
  return {
    client: createUpstreamClient({
      connectMs: timeouts.connectMs,
      proxies: parts.proxies,
      log: parts.log,
    }),
    ticker: createTicker(),
    slots,
    latencies: new Latencies(),
    hooks,
    timeouts,
    limits,
    clientGone,
    translation: parts.translation ?? createTranslationServices({}),
  }
}
