import type { Account } from '../../src/contract/account.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Routed } from '../../src/contract/exchange.ts'
import type { Reply } from '../../src/contract/outcome.ts'
import type { Log } from '../../src/lib/log.ts'
import { Declined } from '../../src/contract/attempt.ts'
import {
  type GatewayPlugin,
  type OutcomeInput,
  type Verdict,
  definePlugin,
} from '../../src/contract/plugin.ts'
import { type AttemptId, Circuit, type CircuitState } from './circuit.ts'
import { type CircuitSettings, checkSettings } from './options.ts'
import { counts, evidenceOf, isLookUp } from './evidence.ts'

export interface CircuitBreakerOptions extends Partial<CircuitSettings> {
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** From 0 to 1, for the jitter. */
  readonly random?: () => number
}

export interface CircuitBreaker extends GatewayPlugin {
  /** The circuit of an account for a family of operations (a dialect's name). */
  state(account: Account, family: string): CircuitState
  /** The circuits of these accounts that are not closed, as `/readyz?verbose` tells them. */
  troubled(accounts: readonly Account[]): TroubledCircuit[]
}

export interface TroubledCircuit {
  readonly account: string
  readonly family: string
  readonly state: Exclude<CircuitState, 'closed'>
  /** How much longer it stays open. */
  readonly open_ms?: number
}

const by = 'circuit-breaker'
const probed = 'its circuit is half-open, and another call tries it'
/** When to come again where a probe is under way, in milliseconds. */
const soonMs = 1_000

/**
 * Leaves an account alone that fails again and again, for one family of operations at a time, and
 * lets one call at a time find out whether it works again. Circuits belong to accounts as they are
 * configured: one that changes begins anew.
 */
export function circuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { log, now = Date.now, random = Math.random, ...given } = options
  const settings = checkSettings(given)
  const circuits = new WeakMap<Account, Map<string, Circuit>>()
  /** How many are not closed: nearly always none, and then there is nobody to judge. */
  let troubled = 0

  function circuitOf({ account, dialect }: Candidate): Circuit {
    let families = circuits.get(account)
    if (!families) circuits.set(account, (families = new Map()))
    let circuit = families.get(dialect.id)
    if (!circuit) families.set(dialect.id, (circuit = new Circuit(settings, random)))
    return circuit
  }

  /** A call whose outcome does not count cannot be the one that finds out. */
  function judge(candidate: Candidate, mayProbe: boolean): Verdict | undefined {
    const circuit = circuits.get(candidate.account)?.get(candidate.dialect.id)
    const time = now()
    switch (circuit?.state(time)) {
      case 'open':
        return exclusion('its circuit is open', (circuit?.openUntil ?? time) - time)
      case 'half-open':
        return mayProbe && circuit?.isBeingProbed(time) ? exclusion(probed, soonMs) : undefined
      default:
        return undefined
    }
  }

  /** Another call may have been quicker since the candidates were judged. */
  function attempt(exchange: Routed, next: () => Promise<Reply>): Promise<Reply> {
    const circuit = circuitOf(exchange.candidate)
    switch (circuit.state(now())) {
      case 'closed':
        return next()
      case 'open':
        throw new Declined(by, 'its circuit is open')
      case 'half-open': {
        const isFirst = circuit.probes === 0
        const own = { exchange, attempt: exchange.attempt.number }
        if (!circuit.takeProbe(own, now())) throw new Declined(by, probed)
        if (isFirst) tell(exchange.candidate, circuit, 'half-open')
        return probe(circuit, own, next)
      }
    }
  }

  function onOutcome(input: OutcomeInput): void {
    const { exchange, candidate, attempt: ended, outcome } = input
    if (!counts(exchange.call)) return
    const circuit = circuitOf(candidate)
    const wasClosed = circuit.state(now()) === 'closed'
    const state = circuit.record(evidenceOf(outcome), { exchange, attempt: ended.number }, now())
    if (!state) return
    if (state === 'closed') troubled--
    else if (wasClosed) troubled++
    tell(candidate, circuit, state)
  }

  function tell({ account, dialect }: Candidate, circuit: Circuit, state: CircuitState): void {
    const fields = { account: account.id, family: dialect.id }
    if (state === 'closed') log.info('circuit closed: the account works again', fields)
    else if (state === 'half-open')
      log.info('circuit half-open: one call tries the account', fields)
    else {
      const open_ms = Math.round(circuit.openUntil - now())
      const { failuresInRow: failures_in_row } = circuit
      log.warn('circuit opened: the account fails', { ...fields, failures_in_row, open_ms })
    }
  }

  function* troubledOf(account: Account): Generator<TroubledCircuit> {
    const time = now()
    for (const [family, circuit] of circuits.get(account) ?? []) {
      const state = circuit.state(time)
      if (state === 'closed') continue
      const open_ms = Math.round(circuit.openUntil - time)
      yield { account: account.id, family, state, ...(state === 'open' && { open_ms }) }
    }
  }

  const plugin = definePlugin({
    name: by,
    onCandidates({ exchange: { call }, candidates }) {
      if (troubled === 0 || isLookUp(call)) return undefined
      const mayProbe = counts(call)
      return candidates.map((candidate) => judge(candidate, mayProbe))
    },
    onAttempt({ exchange, next }) {
      return troubled === 0 || !counts(exchange.call) ? next() : attempt(exchange, next)
    },
    onOutcome,
  })

  return {
    ...plugin,
    state: (account, family) => circuits.get(account)?.get(family)?.state(now()) ?? 'closed',
    troubled: (accounts) => accounts.flatMap((account) => [...troubledOf(account)]),
  }
}

/** An attempt that is declined further in has no outcome that could release it. */
async function probe(circuit: Circuit, own: AttemptId, next: () => Promise<Reply>): Promise<Reply> {
  try {
    return await next()
  } catch (error) {
    if (error instanceof Declined) circuit.releaseProbe(own)
    throw error
  }
}

/** The clock may be a test's own; `retry-after` is counted by the machine's. */
function exclusion(reason: string, forMs: number): Verdict {
  return { excluded: { by, reason, untilMs: Date.now() + forMs } }
}
