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
import { createCircuitLog } from './circuit-log.ts'
import { Circuit, type CircuitChange } from './circuit.ts'
import { type CircuitSettings, checkSettings } from './options.ts'
import { evidenceOf, isEvidence, isLookup } from './evidence.ts'
import type { CircuitState, Gate } from './gate.ts'
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

/** An open or half-open circuit, as in `/readyz?verbose`. */
export interface UnhealthyCircuit {
  /** The account's id. */
  readonly account: string
  /** The dialect's id. */
  readonly family: string
  readonly state: Exclude<CircuitState, 'closed'>
  /** The rest of the open period, in milliseconds. */
  readonly open_ms?: number
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
  const circuits = new WeakMap<Account, Map<string, Circuit>>()
  /** The number of circuits that are not closed; while it is 0, verdicts are skipped. */
  let unhealthy = 0

  function circuitOf({ account, dialect }: Candidate): Circuit {
    let byDialect = circuits.get(account)
    if (!byDialect) circuits.set(account, (byDialect = new Map()))
    let circuit = byDialect.get(dialect.id)
    if (!circuit) byDialect.set(dialect.id, (circuit = new Circuit(settings, random)))
    return circuit
  }

  /** `mayProbe`: whether the call's outcome is evidence, so that the call may be the probe. */
  function judge(candidate: Candidate, keyId: string, mayProbe: boolean): Verdict | undefined {
    const circuit = circuits.get(candidate.account)?.get(candidate.dialect.id)
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
    const circuit = circuitOf(exchange.candidate)
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
        if (isFirst) lines.halfOpen(exchange.candidate)
        exchange.attempt.onOutput = closesOnOutput(exchange.candidate, circuit, own)
        exchange.progress.trace?.probing()
        return probe(circuit, own, next)
      }
    }
  }

  /** The reply of the probe may take minutes to end, but its first output shows that the account works. */
  function closesOnOutput(candidate: Candidate, circuit: Circuit, own: AttemptId): () => void {
    return () => {
      note(candidate, circuit, () => circuit.recordOutput(own))
    }
  }

  /** Counts and logs the change of a circuit. */
  function note(
    candidate: Candidate,
    circuit: Circuit,
    act: () => CircuitChange | undefined,
  ): void {
    const wasClosed = circuit.isClosed
    const change = act()
    unhealthy += Number(wasClosed) - Number(circuit.isClosed)
    if (change === 'closed') lines.closed(candidate)
    else if (change) lines.opened(candidate, circuit, change)
  }

  function onOutcome(input: OutcomeInput): void {
    const { exchange, candidate, attempt: ended, outcome } = input
    if (!isEvidence(exchange.call)) return
    const circuit = circuitOf(candidate)
    const own = {
      exchange,
      attempt: ended.number,
      keyId: ended.isSent ? exchange.caller.keyId : undefined,
    }
    note(candidate, circuit, () => circuit.record(evidenceOf(outcome), own, now()))
  }

  function* unhealthyOf(account: Account): Generator<UnhealthyCircuit> {
    const time = now()
    for (const [family, circuit] of circuits.get(account) ?? []) {
      const state = circuit.state(time)
      if (state === 'closed') continue
      const open_ms = Math.round(circuit.openUntil(time) - time)
      yield { account: account.id, family, state, ...(state === 'open' && { open_ms }) }
    }
  }

  function* exclusionsOf(account: Account): Generator<AccountExclusion> {
    const time = now()
    for (const [dialect, circuit] of circuits.get(account) ?? []) {
      for (const gate of circuit.gates(time)) yield exclusionBy(gate, account, dialect, time)
    }
  }

  function exclusionBy(
    gate: Gate,
    account: Account,
    dialect: string,
    time: number,
  ): AccountExclusion {
    const { keyId, openUntil } = gate
    const state = gate.state(time)
    return {
      account: account.id,
      by,
      kind: 'circuit',
      dialect,
      isProbing: state === 'half-open',
      reason: `its circuit is ${state}`,
      ...(state === 'open' && { untilMs: machineTime(openUntil, now) }),
      ...(keyId !== undefined && { keyId }),
    }
  }

  function reset(account: Account, dialect: string | undefined): number {
    let ended = 0
    for (const [family, circuit] of circuits.get(account) ?? []) {
      if ((dialect !== undefined && family !== dialect) || !circuit.reset()) continue
      ended++
      unhealthy--
      log.info('circuit closed: an operator reset it', { account: account.id, family })
    }
    return ended
  }

  const plugin = definePlugin({
    name: by,
    onCandidates({ exchange: { call, caller }, candidates }) {
      if (unhealthy === 0 || isLookup(call)) return undefined
      const mayProbe = isEvidence(call)
      return candidates.map((candidate) => judge(candidate, caller.keyId, mayProbe))
    },
    onAttempt({ exchange, next }) {
      return unhealthy === 0 || !isEvidence(exchange.call) ? next() : attempt(exchange, next)
    },
    onOutcome,
  })

  return {
    ...plugin,
    readmit: (account, choice) => (choice.kind === 'circuit' ? reset(account, choice.dialect) : 0),
    exclusions: (accounts) =>
      unhealthy === 0
        ? []
        : accounts.filter((one) => circuits.has(one)).flatMap((one) => [...exclusionsOf(one)]),
    state: (account, dialect) => circuits.get(account)?.get(dialect)?.state(now()) ?? 'closed',
    unhealthy: (accounts) => accounts.flatMap((account) => [...unhealthyOf(account)]),
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
