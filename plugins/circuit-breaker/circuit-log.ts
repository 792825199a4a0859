import type { Candidate } from '../../src/contract/candidate.ts'
import type { Log } from '../../src/lib/log.ts'
import type { Circuit } from './circuit.ts'
import type { CircuitSettings } from './options.ts'

/** The state of a circuit before it opens. */
interface Former {
  readonly wasClosed: boolean
  readonly wasOfOneKey: boolean
}

/** Writes a line for each change of a circuit. */
interface CircuitLog {
  closed(candidate: Candidate): void
  halfOpen(candidate: Candidate): void
  opened(candidate: Candidate, circuit: Circuit, former: Former): void
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
    opened(candidate, circuit, former) {
      const { failuresInRow: failures_in_row, onlyKey: key, openUntil } = circuit
      log.warn(messageOf(circuit, settings, former), {
        ...about(candidate),
        ...(key !== undefined && { key }),
        failures_in_row,
        open_ms: Math.round(openUntil - now()),
      })
    },
  }
}

function messageOf(
  { failuresInRow, onlyKey, isOnProbation }: Circuit,
  { failures, windowMs }: CircuitSettings,
  { wasClosed, wasOfOneKey }: Former,
): string {
  if (!wasClosed) {
    return wasOfOneKey && onlyKey === undefined
      ? 'circuit opened for all keys: calls of others fail as well'
      : 'circuit opened again: the probe failed'
  }
  if (failuresInRow >= failures) return `circuit opened after ${failuresInRow} consecutive failures`
  if (isOnProbation) return 'circuit opened again: an attempt failed before any was complete'
  return `circuit opened: too many attempts of the last ${windowMs / 1_000} s failed`
}

function about({ account, dialect }: Candidate): { account: string; family: string } {
  return { account: account.id, family: dialect.id }
}
