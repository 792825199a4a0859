import type { Account } from '../../src/contract/account.ts'
import type { AccountExclusion } from '../../src/contract/call.ts'
import type { Candidate } from '../../src/contract/candidate.ts'
import type { Routed } from '../../src/contract/exchange.ts'
import type { Reply } from '../../src/contract/outcome.ts'
import type { Log } from '../../src/lib/log.ts'
import { machineTime, steadyNow } from '../../src/lib/machine-time.ts'
import { Declined } from '../../src/contract/attempt.ts'
import {
  type GatewayPlugin,
  type OutcomeInput,
  type Verdict,
  definePlugin,
} from '../../src/contract/plugin.ts'
import { type UnhealthyCircuit, exclusionOf, unhealthyOf } from './circuit-states.ts'
import { createCircuitLog } from './circuit-log.ts'
import type { Circuit } from './circuit.ts'
import { Circuits } from './circuits.ts'
import { type CircuitSettings, checkSettings } from './options.ts'
import { evidenceOf, isEvidence, isLookup } from './evidence.ts'
import type { CircuitState } from './gate.ts'
import type { AttemptId } from './probes.ts'

/** The options of `circuitBreaker`. */
export interface CircuitBreakerOptions extends Partial<CircuitSettings> {
  readonly log: Log
  /** Milliseconds, on a clock that never goes back. */
  readonly now?: () => number
  /** From 0 to 1, for the jitter. */
  readonly random?: () => number
}

/** The plugin, and the states of its circuits. */
interface CircuitBreaker extends GatewayPlugin {
  /** The state of an account's circuit for a dialect id. */
  state(account: Account, dialect: string): CircuitState
  /** The circuits of these accounts that are not closed, for `/readyz?verbose`. */
  unhealthy(accounts: readonly Account[]): UnhealthyCircuit[]
}

const by = 'circuit-breaker'
const probeInProgress = 'its circuit is half-open, and another call is the probe'
/** Retry delay while a probe is in progress, in milliseconds. */
const retryMs = 1_000

/**
 * Excludes an account that fails repeatedly, separately for each dialect, and lets one call at a time
 * probe whether it works again. An account whose configuration changes gets new, closed circuits.
 */
export function circuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { log, now = steadyNow, random = Math.random, ...configured } = options
  const settings = checkSettings(configured)
  const lines = createCircuitLog(log, settings, now)
  const circuits = new Circuits(settings, random, lines)

  /** `mayProbe`: whether the call's outcome is evidence, so that the call may be the probe. */
  function judge(candidate: Candidate, keyId: string, mayProbe: boolean): Verdict | undefined {
    const circuit = circuits.known(candidate.account)?.get(candidate.dialect.id)
    if (!circuit) return undefined
    const time = now()
    const gate = circuit.gateOf(keyId, time)
    switch (gate.state(time)) {
      case 'open':
        return exclusion('its circuit is open', machineTime(gate.openUntil, now))
      case 'half-open':
        return mayProbe && gate.keepsOut(keyId, time)
          ? exclusion(probeInProgress, Date.now() + retryMs)
          : undefined
      default:
        return undefined
    }
  }

  /** Checks the circuit again: another call may have become the probe since the verdict. */
  function attempt(exchange: Routed, next: () => Promise<Reply>): Promise<Reply> {
    const circuit = circuits.of(exchange.candidate)
    const { keyId } = exchange.caller
    const gate = circuit.gateOf(keyId, now())
    switch (gate.state(now())) {
      case 'closed':
        return next()
      case 'open':
        throw new Declined(by, 'its circuit is open')
      case 'half-open': {
        const isFirst = gate.probes === 0
        const own = { exchange, attempt: exchange.attempt.number, keyId }
        if (!gate.takeProbe(own, now())) throw new Declined(by, probeInProgress)
        if (isFirst) lines.halfOpen(exchange.candidate, gate)
        exchange.attempt.onOutput = closesOnOutput(exchange.candidate, circuit, own)
        exchange.progress.trace?.probing()
        return probe(circuit, own, next)
      }
    }
  }

  /** The reply of the probe may take minutes to end, but its first output shows that the account works. */
  function closesOnOutput(candidate: Candidate, circuit: Circuit, own: AttemptId): () => void {
    return () => {
      const wasClosed = circuit.isClosed
      circuits.follow(candidate, circuit, wasClosed, circuit.recordOutput(own))
    }
  }

  function onOutcome(input: OutcomeInput): void {
    const { exchange, candidate, attempt: ended, outcome } = input
    if (!isEvidence(exchange.call)) return
    const circuit = circuits.of(candidate)
    const keyId = ended.isSent ? exchange.caller.keyId : undefined
    const evidence = evidenceOf(outcome)
    const time = now()
    if (!circuit.hasGates) {
      const change = circuit.recordWithoutGates(evidence, keyId, time)
      if (change) circuits.follow(candidate, circuit, true, change)
      return
    }
    const wasClosed = circuit.isClosed
    circuits.expire(candidate, circuit, time)
    const change = circuit.record(evidence, { exchange, attempt: ended.number, keyId }, time)
    circuits.follow(candidate, circuit, wasClosed, change)
  }

  function* exclusionsOf(account: Account): Generator<AccountExclusion> {
    const time = now()
    for (const [dialect, circuit] of circuits.known(account) ?? []) {
      for (const gate of circuit.gates(time)) {
        yield { account: account.id, by, dialect, ...exclusionOf(gate, now) }
      }
    }
  }

  function reset(account: Account, dialect: string | undefined): number {
    let ended = 0
    for (const [family, circuit] of circuits.known(account) ?? []) {
      if ((dialect !== undefined && family !== dialect) || !circuits.reset(circuit)) continue
      ended++
      log.info('circuit closed: an operator reset it', { account: account.id, family })
    }
    return ended
  }

  const plugin = definePlugin({
    name: by,
    onCandidates({ exchange: { call, caller }, candidates }) {
      if (circuits.unhealthy === 0 || isLookup(call)) return undefined
      const mayProbe = isEvidence(call)
      return candidates.map((candidate) => judge(candidate, caller.keyId, mayProbe))
    },
    onAttempt({ exchange, next }) {
      return circuits.unhealthy === 0 || !isEvidence(exchange.call)
        ? next()
        : attempt(exchange, next)
    },
    onOutcome,
  })

  return {
    ...plugin,
    readmit: (account, choice) => (choice.kind === 'circuit' ? reset(account, choice.dialect) : 0),
    exclusions: (accounts) =>
      circuits.unhealthy === 0
        ? []
        : accounts.filter((one) => circuits.known(one)).flatMap((one) => [...exclusionsOf(one)]),
    state: (account, dialect) => circuits.known(account)?.get(dialect)?.state(now()) ?? 'closed',
    unhealthy: (accounts) =>
      accounts.flatMap((account) => [...unhealthyOf(account, circuits.known(account), now())]),
  }
}

/** Releases the probe if an inner plugin declines the attempt, which then has no outcome. */
async function probe(circuit: Circuit, own: AttemptId, next: () => Promise<Reply>): Promise<Reply> {
  try {
    return await next()
  } catch (error) {
    if (error instanceof Declined) circuit.releaseProbe(own)
    throw error
  }
}

/** `untilMs` is on the machine's clock, from which `retry-after` is computed. */
function exclusion(reason: string, untilMs: number): Verdict {
  return { excluded: { by, reason, untilMs } }
}
