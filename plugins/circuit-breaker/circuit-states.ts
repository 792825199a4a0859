import type { Account } from '../../src/contract/account.ts'
import type { AccountExclusion } from '../../src/contract/call.ts'
import { machineTime } from '../../src/lib/machine-time.ts'
import type { Circuit } from './circuit.ts'
import type { CircuitState, Gate } from './gate.ts'

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

/** The circuits of an account that are not closed now. */
export function* unhealthyOf(
  account: Account,
  circuits: ReadonlyMap<string, Circuit> | undefined,
  now: number,
): Generator<UnhealthyCircuit> {
  for (const [family, circuit] of circuits ?? []) {
    const state = circuit.state(now)
    if (state === 'closed') continue
    const open_ms = Math.round(circuit.openUntil(now) - now)
    yield { account: account.id, family, state, ...(state === 'open' && { open_ms }) }
  }
}

/** The exclusion of the calls of a gate, as operators see it. */
export function exclusionOf(
  gate: Gate,
  now: () => number,
): Pick<AccountExclusion, 'kind' | 'isProbing' | 'reason' | 'untilMs' | 'keyId'> {
  const { keyId, openUntil } = gate
  const state = gate.state(now())
  return {
    kind: 'circuit',
    isProbing: state === 'half-open',
    reason: `its circuit is ${state}`,
    ...(state === 'open' && { untilMs: machineTime(openUntil, now) }),
    ...(keyId !== undefined && { keyId }),
  }
}
