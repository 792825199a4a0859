import type { Candidate } from '../../src/contract/candidate.ts'
import { inOrder } from '../../src/accounts/pool.ts'
import { poolOf } from '../../src/route/route.ts'
import type { Routed, Understood } from '../../src/contract/exchange.ts'
import type { Log } from '../../src/lib/log.ts'
import type { MaybePromise } from '../../src/lib/maybe-promise.ts'
import { type GatewayPlugin, type Verdict, definePlugin } from '../../src/contract/plugin.ts'
import type { Records } from '../../src/stores/store.ts'
import { type Affinity, AffinityMemory, Moments } from './memory.ts'
import { affinityNameOf, ruleOf } from './names.ts'
import { readWithin } from './read-within.ts'
import { writeBehind } from './write-behind.ts'

export interface AffinityOptions {
  readonly records: Pick<Records<Affinity>, 'getMany' | 'setMany'>
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** How many affinities are known without accountClient the store. Default: 20,000. */
  readonly remembered?: number
  /** How long a call waits for the store, in milliseconds. Default: 50. */
  readonly waitMs?: number
}

/** What has become of the store's part in it. */
export interface AffinityState {
  /** Reads that failed or took too long, each a call without a preference. */
  readonly failedReads: number
  readonly failedWrites: number
}

const dayMs = 24 * 60 * 60_000
const lifeMs = 7 * dayMs
/** A stand-in of a lower priority gives the work back to the better accounts after this time. */
const standInMs = 60 * 60_000
/** Of a call's and of an outcome's affinities, the most telling. */
const mostUsed = 16
const complaintEveryMs = 60_000

type Verdicts = readonly (Verdict | undefined)[]

/** An affinity of a call that this process knows nothing of. */
interface Unknown {
  readonly affinity: string
  readonly name: string
}

/**
 * Leads a call to the account that served its like before: the one that made the items it replays,
 * that may still have its prompt in a cache, or that serves its session. It only prefers. An account
 * that cannot be had is no error, and neither is a store that does not answer.
 */
export function affinity(
  options: AffinityOptions,
): GatewayPlugin & { readonly state: AffinityState } {
  const { records, log, now = Date.now, waitMs = 50 } = options
  const memory = new AffinityMemory(options.remembered ?? 20_000)
  const state = { failedReads: 0, failedWrites: 0 }
  let complainedAt = -Infinity

  const read = readWithin(records, waitMs, (error) => {
    state.failedReads++
    complain(error)
  })

  const moments = new Moments(lifeMs)
  const standIns = new Moments(standInMs)
  const written = writeBehind(records, (entries, error) => {
    state.failedWrites++
    memory.markLost(entries.map(({ id }) => id))
    complain(error)
  })

  function complain(error: unknown): void {
    if (now() - complainedAt < complaintEveryMs) return
    complainedAt = now()
    log.warn('the store failed for affinities: accounts are chosen without them', {
      error: String(error),
      failed_reads: state.failedReads,
      failed_writes: state.failedWrites,
    })
  }

  /** The first affinity of the list that leads to a candidate decides. */
  function prefer(
    exchange: Understood,
    candidates: readonly Candidate[],
  ): MaybePromise<Verdicts | undefined> {
    const affinities = exchange.call.affinity ?? none
    const unknown: Unknown[] = []
    let verdicts: Verdicts | undefined
    for (let index = 0; index < affinities.length && index < mostUsed && !verdicts; index++) {
      const affinity = affinities[index] as string
      const name = affinityNameOf(exchange, affinity)
      const known = memory.find(name, now())
      if (known) verdicts = verdictsFor(candidates, known.account, affinity)
      else unknown.push({ affinity, name })
    }
    return unknown.length === 0 ? verdicts : ask(unknown, candidates, verdicts)
  }

  /** What the store knows of more telling affinities comes first. */
  async function ask(
    unknown: readonly Unknown[],
    candidates: readonly Candidate[],
    otherwise: Verdicts | undefined,
  ): Promise<Verdicts | undefined> {
    const found = await read(unknown.map(({ name }) => name))
    for (const [index, { affinity, name }] of unknown.entries()) {
      const known = found?.[index]
      if (!known || known.until <= now()) continue
      memory.keep(name, known)
      const verdicts = verdictsFor(candidates, known.account, affinity)
      if (verdicts) return verdicts
    }
    return otherwise
  }

  function remember(exchange: Routed, candidate: Candidate, items: readonly string[]): void {
    const { affinity: likes = none } = exchange.call
    const { id } = candidate.account
    const time = now()
    const lasting = moments.of(id, time)
    const passing = isStandIn(exchange, candidate) ? standIns.of(id, time) : lasting
    for (let index = 0; index < likes.length && index < mostUsed; index++) {
      note(affinityNameOf(exchange, likes[index] as string), passing, time)
    }
    for (let index = Math.max(0, items.length - mostUsed); index < items.length; index++) {
      if (items[index]) note(affinityNameOf(exchange, `item:${items[index]}`), lasting, time)
    }
  }

  /** Writes what the store does not know, or has known for more than a day. Nobody waits for it. */
  function note(name: string, served: Affinity, time: number): void {
    const known = memory.find(name, time)
    const renewed = known && served.until - known.until >= dayMs
    if (known?.account === served.account && !known.lost && !renewed) return
    memory.keep(name, served)
    written.add(name, served, served.until - time)
  }

  const plugin = definePlugin({
    name: 'affinity',
    onCandidates({ exchange, candidates }) {
      const { affinity, refersTo } = exchange.call
      // Where there is no choice, or where it is not ours, there is nothing to look up.
      if (!affinity?.length || refersTo.length > 0 || candidates.length < 2) return undefined
      return prefer(exchange, candidates)
    },
    onOutcome({ exchange, candidate, outcome }) {
      const { status, fault, items = none } = outcome
      if (fault !== 'none' || (status !== 'completed' && status !== 'incomplete')) return
      if (exchange.call.affinity?.length || items.length > 0) remember(exchange, candidate, items)
    },
    onDispose: () => written.close(),
  })
  return { ...plugin, state }
}

const none: readonly string[] = []

/** A preference for one candidate, or nothing where the account is not among them. */
function verdictsFor(
  candidates: readonly Candidate[],
  account: string,
  affinity: string,
): Verdicts | undefined {
  const preferred = candidates.findIndex((candidate) => candidate.account.id === account)
  if (preferred < 0) return undefined
  const verdict = { rank: -1, why: ruleOf(affinity) }
  return candidates.map((_, index) => (index === preferred ? verdict : undefined))
}

/** Whether better accounts are there for such calls, which could not be had this time. */
function isStandIn(exchange: Routed, candidate: Candidate): boolean {
  const [best] = poolOf(exchange)
  return best !== undefined && inOrder(best, candidate) < 0
}
