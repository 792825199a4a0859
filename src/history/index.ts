import { type ModelLabels, createModelLabels } from '../accounts/model-labels.ts'
import { publishedNames } from '../accounts/prices.ts'
import type { Snapshot } from '../contract/candidate.ts'
import type { Ended } from '../contract/exchange.ts'
import type { LedgerRow } from '../contract/ledger-row.ts'
import type { Summary } from '../contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../contract/plugin.ts'
import type { Spend } from '../contract/spend.ts'
import { isWork } from '../kit/spend.ts'
import type { Log } from '../lib/log.ts'
import { openSpill } from '../lib/spill.ts'
import { everySeconds } from '../lib/ticker.ts'
import type { LedgerCount } from '../stores/ledger.ts'
import { type Sums, addSums, failureOf, sumsOfReply } from '../stores/ledger-sums.ts'
import type { Store } from '../stores/store.ts'
import { createLedgerQueue } from './queue.ts'
import { type EndedJob, replyOf, rowOfJob, rowsOf } from './rows.ts'
import { createSinks } from './sinks.ts'

/** The options of `recordHistory`. */
interface HistoryOptions {
  readonly store: Pick<Store, 'ledger'>
  /** Names the store among others. */
  readonly storeUrl: string
  readonly log: Log
  /** The directory of the file for rows that the store cannot take. Default: the system's, for temporary files. */
  readonly directory?: string | undefined
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined
  /** Get the rows as well, by their `onLedger`. */
  readonly plugins?: readonly GatewayPlugin[] | undefined
  /** Gets the rows as well. Must not throw. */
  readonly onRows?: ((rows: readonly LedgerRow[]) => void) | undefined
}

/** What records the calls of a gateway. */
interface History {
  readonly plugin: GatewayPlugin
  /** Records a job that is over. */
  jobEnded(job: EndedJob, spend: Spend, snapshot: Snapshot): void
}

/** Rows that are written at once, before their time has come. */
const mostWaiting = 200

/** The least time between two writes of a busy process, in milliseconds. */
const pauseMs = 100

/** How long the end of the gateway waits for the store, in milliseconds. */
const lastWriteMs = 1_500

/** Owners of calls without an attempt between two writes. Beyond these, calls are counted without a model. */
const mostOwners = 1_000

/**
 * Records what calls have used: a row for each attempt, at the end of its exchange, and counts of calls that were
 * refused before one. A quiet process writes at once, a busy one ten times a second. Each minute, a process notes that it
 * has counted: minutes without such a note are unknown, not empty.
 */
export function recordHistory(options: HistoryOptions): History {
  const { store, storeUrl, log, directory, now = Date.now, plugins = [], onRows } = options
  const giveToPlugins = createSinks(plugins, log)
  const spill = openSpill({ directory, store: storeUrl, of: 'ledger' })
  const queue = createLedgerQueue({ ledger: store.ledger(), spill, log })
  let rows: LedgerRow[] = []
  const refused = new Map<string, Required<LedgerCount>>()
  const notes: LedgerCount[] = []
  let timer: NodeJS.Timeout | undefined
  let lastWrite = -Infinity
  let minute: number | undefined
  let labels: ModelLabels | undefined
  let labelled: Snapshot | undefined

  function poolOf({ snapshot }: Pick<Ended, 'snapshot'>, model: string): string {
    if (!labels || snapshot !== labelled) {
      labels = createModelLabels(snapshot, publishedNames)
      labelled = snapshot
    }
    return labels.requested(model)
  }

  /** Counts of refusals are written once a second: a flood of them costs the store nothing. */
  function write(withCounts: boolean): void {
    clearTimeout(timer)
    timer = undefined
    lastWrite = performance.now()
    const counts = withCounts ? [...notes.splice(0), ...refused.values(), ...queue.takeLost()] : []
    if (withCounts) refused.clear()
    if (rows.length === 0 && counts.length === 0) return
    const due = rows
    rows = []
    queue.add(due, counts)
    if (due.length === 0) return
    giveToPlugins?.(due)
    onRows?.(due)
  }

  function onTimer(): void {
    write(false)
  }

  function onSecond(): void {
    const present = now() - (now() % 60_000)
    if (present !== minute) {
      if (minute !== undefined) notes.push({ at: minute, sums: { counted: 1 } })
      notes.push({ at: present, sums: { begun: 1 } })
      minute = present
    }
    if (notes.length > 0 || refused.size > 0) write(true)
  }

  function onEnd({ exchange, summary }: { exchange: Ended; summary: Summary }): void {
    const { operation, progress } = exchange
    if (operation?.capability === undefined) return
    const { attempt, former } = progress
    if (attempt?.startedAt === undefined && former.length === 0) {
      if (isWork(operation)) countWithoutAttempt(exchange, summary)
      return
    }
    for (const row of rowsOf(exchange, summary, now(), poolOf)) rows.push(row)
    schedule()
  }

  function schedule(): void {
    if (rows.length >= mostWaiting) write(false)
    else timer ??= setTimeout(onTimer, performance.now() - lastWrite > pauseMs ? 0 : pauseMs)
  }

  /** A call that was refused, or that a plugin has answered. */
  function countWithoutAttempt(exchange: Ended, summary: Summary): void {
    const at = now() - (now() % 60_000)
    const { caller, model } = exchange
    const { team = '', keyId = '' } = caller ?? {}
    const isFull = refused.size >= mostOwners
    const name = isFull || model === undefined ? '' : poolOf(exchange, model.name)
    const place = `${at}\0${team}\0${keyId}\0${name}`
    let known = refused.get(place)
    if (!known) {
      known = { at, team, keyId, model: name, accountId: '', sums: {} }
      refused.set(place, known)
    }
    addSums(known.sums as Record<string, number>, sumsOf(exchange, summary))
  }

  const stop = everySeconds(1, onSecond)
  void spill.adopt()

  const plugin = definePlugin({
    name: 'history',
    onEnd,
    async onDispose() {
      stop()
      if (minute !== undefined) notes.push({ at: minute, sums: { counted: 1 } })
      write(true)
      await queue.close(lastWriteMs)
    },
  })
  return {
    plugin,
    jobEnded(job, spend, snapshot) {
      rows.push(rowOfJob(job, spend, now(), poolOf({ snapshot }, job.model)))
      schedule()
    },
  }
}

/** The refusals take no time, which says nothing about how fast calls are answered. */
function sumsOf(exchange: Ended, summary: Summary): Sums {
  const failure = failureOf(summary)
  if (failure === undefined) return sumsOfReply(replyOf(exchange, summary))
  return { calls: 1, [failure]: 1 }
}
