import type { Candidate } from '../../src/contract/candidate.ts'
import { inOrder } from '../../src/accounts/pool.ts'
import { poolOf } from '../../src/route/route.ts'
import type { Routed, Understood } from '../../src/contract/exchange.ts'
import type { Log } from '../../src/lib/log.ts'
import type { MaybePromise } from '../../src/lib/maybe-promise.ts'
import { type GatewayPlugin, type Verdict, definePlugin } from '../../src/contract/plugin.ts'
import type { Records } from '../../src/stores/store.ts'
import { type Affinity, AffinityMemory, SharedAffinities, isAffinity } from './memory.ts'
import { readWithTimeout } from './read-with-timeout.ts'
import { writeBehind } from './write-behind.ts'
import { hash } from 'node:crypto'
import { recordIdOf } from '../../src/stores/record-id.ts'

/** The options of `affinity`. */
export interface AffinityOptions {
  readonly records: Pick<Records<Affinity>, 'getMany' | 'setMany'>
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** The number of affinities in memory, which need no read of the store. Default: 20,000. */
  readonly cacheSize?: number
  /** How long a call waits for the store, in milliseconds. Default: 50. */
  readonly waitMs?: number
}

/** Failures of the store. */
interface AffinityState {
  /** Reads that failed or timed out; each of these calls had no preference. */
  readonly failedReads: number
  readonly failedWrites: number
}

const dayMs = 24 * 60 * 60_000
const lifeMs = 7 * dayMs
/** A fallback account of a lower priority keeps an affinity only for this time. */
const fallbackLifeMs = 60 * 60_000
/** Limits the affinities of a call and of an outcome. */
const maxAffinities = 16
const warningIntervalMs = 60_000

type Verdicts = readonly (Verdict | undefined)[]

/** An affinity of a call that is not in memory, and its name in the store. */
interface Uncached {
  readonly affinity: string
  readonly name: string
}

/**
 * Prefers the account that served related calls before: the account that produced the items in the
 * input, that may have the prompt in its cache, or that serves the session. This is a preference only:
 * an unavailable account or store causes no error.
 */
export function affinity(
  options: AffinityOptions,
): GatewayPlugin & { readonly state: AffinityState } {
  const { records, log, now = Date.now, waitMs = 50 } = options
  const memory = new AffinityMemory(options.cacheSize ?? 20_000)
  const state = { failedReads: 0, failedWrites: 0 }
  let warnedAt = -Infinity

  const read = readWithTimeout(records, waitMs, (error) => {
    state.failedReads++
    warn(error)
  })

  const affinities = new SharedAffinities(lifeMs)
  const fallbackAffinities = new SharedAffinities(fallbackLifeMs)
  const writes = writeBehind(records, (entries, error) => {
    state.failedWrites++
    memory.markLost(entries.map(({ id }) => id))
    warn(error)
  })

  function warn(error: unknown): void {
    if (now() - warnedAt < warningIntervalMs) return
    warnedAt = now()
    log.warn('the store failed: accounts are selected without affinities', {
      error: String(error),
      failed_reads: state.failedReads,
      failed_writes: state.failedWrites,
    })
  }

  /** The first affinity of the list whose account is a candidate decides. */
  function prefer(
    exchange: Understood,
    candidates: readonly Candidate[],
  ): MaybePromise<Verdicts | undefined> {
    const names = exchange.call.affinity ?? none
    const uncached: Uncached[] = []
    let verdicts: Verdicts | undefined
    for (let index = 0; index < names.length && index < maxAffinities && !verdicts; index++) {
      const affinity = names[index] as string
      const name = affinityNameOf(exchange, affinity)
      const known = memory.find(name, now())
      if (known) verdicts = verdictsFor(candidates, known.account, affinity)
      else uncached.push({ affinity, name })
    }
    return uncached.length === 0 ? verdicts : preferStored(uncached, candidates, verdicts)
  }

  /** Uncached affinities precede the cached one that led to `fallback`, so the store decides first. */
  async function preferStored(
    uncached: readonly Uncached[],
    candidates: readonly Candidate[],
    fallback: Verdicts | undefined,
  ): Promise<Verdicts | undefined> {
    const found = await read(uncached.map(({ name }) => name))
    for (const [index, { affinity, name }] of uncached.entries()) {
      const known = liveAffinity(found?.[index], now())
      if (!known) continue
      memory.set(name, known)
      const verdicts = verdictsFor(candidates, known.account, affinity)
      if (verdicts) return verdicts
    }
    return fallback
  }

  function record(exchange: Routed, candidate: Candidate, items: readonly string[]): void {
    const { affinity: names = none } = exchange.call
    const { id } = candidate.account
    const time = now()
    const ofItems = affinities.at(id, time)
    const ofCall = isFallback(exchange, candidate) ? fallbackAffinities.at(id, time) : ofItems
    for (let index = 0; index < names.length && index < maxAffinities; index++) {
      save(affinityNameOf(exchange, names[index] as string), ofCall, time)
    }
    for (let index = Math.max(0, items.length - maxAffinities); index < items.length; index++) {
      if (items[index]) save(affinityNameOf(exchange, `item:${items[index]}`), ofItems, time)
    }
  }

  /** Writes an affinity in the background, unless the store has one that is younger than a day. */
  function save(name: string, affinity: Affinity, time: number): void {
    const known = memory.find(name, time)
    const renewed = known && affinity.until - known.until >= dayMs
    if (known?.account === affinity.account && !known.lost && !renewed) return
    memory.set(name, affinity)
    writes.add(name, affinity, affinity.until - time)
  }

  const plugin = definePlugin({
    name: 'affinity',
    onCandidates({ exchange, candidates }) {
      const { affinity, refersTo } = exchange.call
      // A single candidate leaves no choice, and a reference decides by itself.
      if (!affinity?.length || refersTo.length > 0 || candidates.length < 2) return undefined
      return prefer(exchange, candidates)
    },
    onOutcome({ exchange, candidate, outcome }) {
      const { status, fault, items = none } = outcome
      if (fault !== 'none' || (status !== 'completed' && status !== 'incomplete')) return
      if (exchange.call.affinity?.length || items.length > 0) record(exchange, candidate, items)
    },
    onDispose: () => writes.close(),
  })
  return { ...plugin, state }
}

/** The affinity in a record, unless it has expired. */
function liveAffinity(record: unknown, time: number): Affinity | undefined {
  return isAffinity(record) && record.until > time ? record : undefined
}

const none: readonly string[] = []

/** Verdicts that prefer the candidate of `account`; `undefined` if no candidate has that account. */
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

/** Whether the call's pool has accounts of a higher priority than the candidate. */
function isFallback(exchange: Routed, candidate: Candidate): boolean {
  const [best] = poolOf(exchange)
  return best !== undefined && inOrder(best, candidate) < 0
}

/** The parts of an exchange that the names of its affinities contain. */
interface AffinityCall {
  readonly caller: { readonly keyId: string }
  readonly model: { readonly name: string }
}

/** Longer names are hashed to save space in the store. Characters. */
const maxLength = 160

/**
 * The name of an affinity in the store. It contains the id of the API key, so keys share no affinities.
 * The names of sessions and cached prompts also contain the model: each model has its own cache, and
 * the models of a session may be on different accounts. An item's account does not depend on the model.
 */
function affinityNameOf({ caller, model }: AffinityCall, affinity: string): string {
  const text = affinity.startsWith('item:') ? affinity : `${affinity} ${model.name}`
  return recordIdOf([caller.keyId], isPlain(text) ? text : hash('sha256', text, 'base64url'))
}

/** Whether a store can save the text as a name; a lone surrogate is not valid text. */
function isPlain(text: string): boolean {
  return text.length <= maxLength && text.isWellFormed()
}

/** The name of an affinity's rule in `x-dragoman-route` and the access log. */
function ruleOf(affinity: string): string {
  const kind = affinity.slice(0, affinity.indexOf(':'))
  return `affinity: ${rules[kind] ?? kind}`
}

const rules: Readonly<Record<string, string>> = {
  item: 'item id',
  cache: 'prompt_cache_key',
}
