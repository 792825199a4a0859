import { type OutcomeInput, definePlugin } from '../../contract/plugin.ts'
import type { Ended } from '../../contract/exchange.ts'
import type { Summary } from '../../contract/outcome.ts'
import { followInFlight } from '../../exchange/in-flight.ts'
import type { GatewayMonitor } from '../../runtime/start-gateway.ts'
import { type EndedExchange, copyOf, isShown, writeEnded } from './exchanges.ts'
import { Pulse } from './pulse.ts'
import { type CallSums, RecentCalls, noCalls } from './recent-calls.ts'
import { RecentExchanges } from './recent.ts'

/** The attempts at an account since the start of the process. */
export interface AccountCounts {
  calls: number
  /** The attempts whose failure the account caused. */
  failures: number
  readonly recent: RecentCalls
}

/** Observes the exchanges of this process, for the admin API. */
export interface Monitor extends GatewayMonitor {
  /** The exchanges in flight, in no order. */
  readonly inFlight: readonly Ended[]
  readonly pulse: Pulse
  readonly accounts: ReadonlyMap<string, AccountCounts>
  /** The exchanges that ended last, the newest first; see `RecentExchanges`. */
  recent(): Iterable<EndedExchange>
  /** The calls at an account in the last minutes. */
  recentCalls(accountId: string): CallSums
  /** Forgets the counts of all other accounts. */
  keepAccounts(ids: ReadonlySet<string>): void
  /** Set while a subscriber wants the ends of exchanges. */
  onEnded: ((exchange: Ended, ended: EndedExchange) => void) | undefined
}

/**
 * Creates a monitor. Each request costs it an entry of an array, a few additions and a record of facts
 * in a place that was another's: no object, promise, timer or text is made. `now`: milliseconds of an even clock.
 */
export function createMonitor(now: () => number = performance.now.bind(performance)): Monitor {
  const followed = followInFlight()
  const accounts = new Map<string, AccountCounts>()
  const pulse = new Pulse()
  const recent = new RecentExchanges()

  function onOutcome({ candidate, attempt, outcome }: OutcomeInput): void {
    const { id } = candidate.account
    let counts = accounts.get(id)
    if (!counts) accounts.set(id, (counts = { calls: 0, failures: 0, recent: new RecentCalls() }))
    counts.calls++
    const hasFailed = outcome.fault === 'account'
    if (hasFailed) counts.failures++
    const { startedAt, firstByteAt } = attempt
    const hasTime = startedAt !== undefined && firstByteAt !== undefined
    counts.recent.count(now(), hasFailed, hasTime ? firstByteAt - startedAt : undefined)
  }

  function end(exchange: Ended, summary: Summary): void {
    followed.end(exchange, summary)
    if (!isShown(exchange)) return
    const place = recent.take(exchange)
    writeEnded(place, exchange, summary)
    pulse.count(place.ended)
    monitor.onEnded?.(exchange, copyOf(place))
  }

  const monitor: Monitor = {
    plugin: definePlugin({ name: 'monitor', onOutcome }),
    begin: followed.begin,
    end,
    inFlight: followed.inFlight,
    pulse,
    accounts,
    recent: () => recent.newestFirst(),
    recentCalls: (id) => accounts.get(id)?.recent.sums(now()) ?? noCalls,
    keepAccounts(ids) {
      for (const id of accounts.keys()) if (!ids.has(id)) accounts.delete(id)
    },
    onEnded: undefined,
  }
  return monitor
}
