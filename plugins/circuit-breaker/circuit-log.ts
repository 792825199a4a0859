import type { Candidate } from '../../src/contract/candidate.ts'
import type { Log } from '../../src/lib/log.ts'
import type { OpeningReason } from './change.ts'
import type { Circuit } from './circuit.ts'
import type { Gate } from './gate.ts'
import type { CircuitSettings } from './options.ts'

/** Which gate has opened, and why. */
interface Opening {
  readonly opened: Gate
  readonly reason: OpeningReason
}

/** Writes a line for each change of a circuit. */
export interface CircuitLog {
  closed(candidate: Candidate, gate: Gate): void
  /** The gate of a key has expired. */
  expired(candidate: Candidate, gate: Gate): void
  halfOpen(candidate: Candidate, gate: Gate): void
  opened(candidate: Candidate, circuit: Circuit, opening: Opening): void
}

/** Creates the lines of the circuits with these settings. */
export function createCircuitLog(
  log: Log,
  settings: CircuitSettings,
  now: () => number,
): CircuitLog {
  return {
    closed: (candidate, gate) =>
      log.info('circuit closed: the account works again', about(candidate, gate)),
    expired: (candidate, gate) =>
      log.info('circuit closed: its key has not returned', about(candidate, gate)),
    halfOpen: (candidate, gate) =>
      log.info('circuit half-open: one call probes the account', about(candidate, gate)),
    opened(candidate, { failuresInRow: failures_in_row }, { opened, reason }) {
      log.warn(messageOf(reason, failures_in_row, settings), {
        ...about(candidate, opened),
        failures_in_row,
        open_ms: Math.round(opened.openUntil - now()),
      })
    },
  }
}

function messageOf(
  reason: OpeningReason,
  failuresInRow: number,
  { windowMs }: CircuitSettings,
): string {
  switch (reason) {
    case 'row':
      return `circuit opened after ${failuresInRow} consecutive failures`
    case 'share':
      return `circuit opened: too many attempts of the last ${windowMs / 1_000} s failed`
    case 'probe':
      return 'circuit opened again: the probe failed'
    case 'probation':
      return 'circuit opened again: an attempt failed before any was complete'
    case 'others':
      return 'circuit opened for all keys: calls of others fail as well'
  }
}

/** The key is that of a gate for one key. */
function about({ account, dialect }: Candidate, { keyId: key }: Gate): Record<string, string> {
  return { account: account.id, family: dialect.id, ...(key !== undefined && { key }) }
}
