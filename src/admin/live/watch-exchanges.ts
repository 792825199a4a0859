import type { Ended, Progress } from '../../contract/exchange.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { type EndedExchange, factsOf, isShown } from '../processes/exchanges.ts'
import type { Monitor } from '../processes/monitor.ts'
import type { Hub } from './hub.ts'

/** The time between two looks at the exchanges in flight, in milliseconds. */
const lookMs = 250

/** Changes of one second; further exchanges that begin are left out. */
const mostChanges = 50

/** What subscribers know of an exchange. */
type Told = 'left out' | { attempts: number; hasOutput: boolean; model: string | undefined }

/** Watches exchanges while subscribers want them. */
interface ExchangeWatch {
  /** Begins or ends to watch exchanges and the jobs that they create and read. */
  set(wanted: Pick<Hub['wanted'], 'EXCHANGES' | 'JOBS'>): void
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
  let told = new WeakMap<Progress, Told>()
  let timer: NodeJS.Timeout | undefined
  let second = 0
  let changes = 0
  let leftOut = 0
  const jobs = new RecentMap<string>(mostJobs)

  function hasRoom(): boolean {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) {
      second = now
      changes = 0
      if (leftOut > 0) hub.leaveOut('EXCHANGES', leftOut)
      leftOut = 0
    }
    return changes < mostChanges
  }

  function begin(exchange: Ended): Told {
    const { progress, model } = exchange
    const hasRoomNow = hasRoom()
    const known: Told = hasRoomNow
      ? { attempts: progress.attempts, hasOutput: hasOutput(progress), model: model?.name }
      : 'left out'
    told.set(progress, known)
    if (!hasRoomNow) leftOut++
    else emit('ExchangeBegan', exchange)
    return known
  }

  function emit(type: 'ExchangeBegan' | 'ExchangeChanged', exchange: Ended): void {
    changes++
    hub.emit({ type, processId, exchange: factsOf(exchange) })
  }

  function look(): void {
    hasRoom()
    for (const exchange of monitor.inFlight) {
      if (!exchange.caller || !isShown(exchange)) continue
      const { progress, model } = exchange
      const known = told.get(progress)
      if (!known) begin(exchange)
      else if (known !== 'left out' && hasChanged(known, exchange)) {
        known.attempts = progress.attempts
        known.hasOutput = hasOutput(progress)
        known.model = model?.name
        emit('ExchangeChanged', exchange)
      }
    }
  }

  function onEnded(exchange: Ended, ended: EndedExchange): void {
    const known = told.get(exchange.progress) ?? begin(exchange)
    if (known === 'left out') return
    changes++
    hub.emit({
      type: 'ExchangeEnded',
      processId,
      exchange: { ...ended, failedAttempts: [...ended.failedAttempts] },
    })
  }

  /** A job changes when an exchange creates it, or reads another state from its account. */
  function noteJob({ progress: { job }, caller }: Ended): void {
    if (job?.id === undefined || jobs.get(job.id) === job.status) return
    jobs.set(job.id, job.status ?? 'unknown')
    hub.emit({
      type: 'JobChanged',
      processId,
      jobId: job.id,
      accountId: job.account,
      keyId: caller?.keyId,
      state: job.status,
      error: job.error?.slice(0, 500),
    })
  }

  return {
    set({ EXCHANGES, JOBS }) {
      monitor.onEnded =
        EXCHANGES || JOBS
          ? (exchange, ended) => {
              if (EXCHANGES) onEnded(exchange, ended)
              if (JOBS) noteJob(exchange)
            }
          : undefined
      if (EXCHANGES === (timer !== undefined)) return
      clearInterval(timer)
      timer = EXCHANGES ? setInterval(look, lookMs).unref() : undefined
      told = new WeakMap()
    },
  }
}

/** Jobs whose states are known. */
const mostJobs = 2_000

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
