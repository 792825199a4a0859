import type { Ended, Progress } from '../../contract/exchange.ts'
import { type EndedExchange, factsOf, isShown } from '../processes/exchanges.ts'
import type { Monitor } from '../processes/monitor.ts'
import type { Hub } from './hub.ts'

/** The time between two looks at the exchanges in flight, in milliseconds. */
const lookMs = 250

/** Changes of one second; further exchanges that begin are left out. */
const mostChanges = 50

/** The facts about an exchange that subscribers have. */
type Told = 'left out' | { attempts: number; hasOutput: boolean; model: string | undefined }

/** Watches exchanges while subscribers want them. */
interface ExchangeWatch {
  /** Begins or ends to watch exchanges. */
  set(isWanted: boolean): void
}

/**
 * Watches the exchanges in flight by looking at them from time to time, so that the requests themselves
 * do nothing for it. An exchange is followed from its beginning to its end or, above 50 changes a
 * second, left out as a whole.
 */
export function watchExchanges(
  monitor: Pick<Monitor, 'inFlight' | 'onEnded'>,
  hub: Pick<Hub, 'emit' | 'leaveOut'>,
  processId: string,
): ExchangeWatch {
  /** By the ids of exchanges in flight. A look into a WeakMap takes microseconds for each of them. */
  const told = new Map<string, Told>()
  let timer: NodeJS.Timeout | undefined
  let second = 0
  let changes = 0
  let leftOut = 0

  function hasRoom(most: number): boolean {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) {
      second = now
      changes = 0
      if (leftOut > 0) hub.leaveOut('EXCHANGES', leftOut)
      leftOut = 0
    }
    return changes < most
  }

  function begin(exchange: Ended): Told {
    const { progress, model, caller } = exchange
    // Anyone can send requests without a key: they leave room for the others.
    const hasRoomNow = hasRoom(caller ? mostChanges : mostChanges / 2)
    const known: Told = hasRoomNow
      ? { attempts: progress.attempts, hasOutput: hasOutput(progress), model: model?.name }
      : 'left out'
    if (!hasRoomNow) leftOut++
    else emit('ExchangeBegan', exchange)
    return known
  }

  function emit(type: 'ExchangeBegan' | 'ExchangeChanged', exchange: Ended): void {
    changes++
    hub.emit({ type, processId, exchange: factsOf(exchange) })
  }

  function look(): void {
    hasRoom(mostChanges)
    for (const exchange of monitor.inFlight) {
      if (!exchange.caller || !isShown(exchange)) continue
      const { progress, model } = exchange
      const known = told.get(exchange.id)
      if (!known) told.set(exchange.id, begin(exchange))
      else if (known !== 'left out' && hasChanged(known, exchange)) {
        known.attempts = progress.attempts
        known.hasOutput = hasOutput(progress)
        known.model = model?.name
        emit('ExchangeChanged', exchange)
      }
    }
  }

  function onEnded(exchange: Ended, ended: EndedExchange): void {
    const known = told.get(exchange.id) ?? begin(exchange)
    told.delete(exchange.id)
    if (known === 'left out') return
    changes++
    hub.emit({ type: 'ExchangeEnded', processId, exchange: ended })
  }

  return {
    set(isWanted) {
      monitor.onEnded = isWanted ? onEnded : undefined
      if (isWanted === (timer !== undefined)) return
      clearInterval(timer)
      timer = isWanted ? setInterval(look, lookMs).unref() : undefined
      told.clear()
      leftOut = 0
    },
  }
}

function hasOutput({ firstOutputAt }: Progress): boolean {
  return firstOutputAt !== undefined
}

function hasChanged(known: Exclude<Told, string>, { progress, model }: Ended): boolean {
  return (
    known.attempts !== progress.attempts ||
    known.hasOutput !== hasOutput(progress) ||
    known.model !== model?.name
  )
}
