import type { Candidate } from '../../src/contract/candidate.ts'
import type { Log } from '../../src/lib/log.ts'
import type { Circuit, OpeningReason } from './circuit.ts'
import type { Gate } from './gate.ts'
import type { CircuitSettings } from './options.ts'

/** Which gate has opened, and why. */
interface Opening {
  readonly opened: Gate
  readonly reason: OpeningReason
}

/** Writes a line for each change of a circuit. */
interface CircuitLog {
  closed(candidate: Candidate): void
  halfOpen(candidate: Candidate): void
  opened(candidate: Candidate, circuit: Circuit, opening: Opening): void
}

/** Creates the lines of the circuits with these settings. */
export function createCircuitLog(
  log: Log,
  settings: CircuitSettings,
  now: () => number,
): CircuitLog {
  return {
    closed: (candidate) => log.info('circuit closed: the account works again', about(candidate)),
    halfOpen: (candidate) =>
      log.info('circuit half-open: one call probes the account', about(candidate)),
    opened(candidate, { failuresInRow: failures_in_row }, { opened, reason }) {
      const { keyId: key, openUntil } = opened
      log.warn(messageOf(reason, failures_in_row, settings), {
        ...about(candidate),
        ...(key !== undefined && { key }),
        failures_in_row,
        open_ms: Math.round(openUntil - now()),
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

function about({ account, dialect }: Candidate): { account: string; family: string } {
  return { account: account.id, family: dialect.id }
}
