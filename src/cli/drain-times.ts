import { CommandError, type Terminal } from './command.ts'
import type { ShutdownSignal } from './signals.ts'

/** How long a shutdown takes, in milliseconds. */
interface DrainTimes {
  /** How long the gateway still serves as before, so that balancers see `/readyz` fail. */
  readonly delayMs: number
  /** How long exchanges in flight may take after the delay. */
  readonly timeoutMs: number
}

/** The time for the last events of interrupted streams, and to close the store, in milliseconds. */
const reserveMs = 5_000

/** The time in which balancers notice that a gateway is not ready any more, in milliseconds. */
const usualDelayMs = 5_000

/** The settings on which the times of a shutdown depend, beside the signal. */
interface Surroundings {
  readonly env: Terminal['env']
  /** Whether the process has a terminal, so that it has no balancer as a rule. */
  readonly isAttended?: boolean | undefined
}

/**
 * Reads how a process ends at each signal. `DRAGOMAN_DRAIN_DELAY_MS` is the delay after SIGTERM, by default 5
 * seconds, and none at a terminal without a supervisor.
 * `TERMINATION_GRACE_PERIOD_SECONDS`, which a pod can pass on, is the time after which it is killed: it replaces
 * `drainMs` (milliseconds, of the configuration), less what the delay and the end take. Throws `CommandError` for a
 * variable that is no number.
 */
export function readDrainTimes(
  { env, isAttended = false }: Surroundings,
  drainMs: number,
): (signal: ShutdownSignal) => DrainTimes {
  const delay = msIn(env, 'DRAGOMAN_DRAIN_DELAY_MS', 1)
  const graceMs = msIn(env, 'TERMINATION_GRACE_PERIOD_SECONDS', 1_000)
  const isFree = isAttended && graceMs === undefined
  const usual = isFree ? 0 : Math.min(usualDelayMs, (graceMs ?? Infinity) / 4)
  return (signal) => {
    const delayMs = signal === 'SIGTERM' ? (delay ?? usual) : 0
    if (graceMs === undefined) return { delayMs, timeoutMs: drainMs }
    return { delayMs, timeoutMs: Math.max(0, graceMs - delayMs - reserveMs) }
  }
}

/** A timer counts milliseconds in 31 bits: a longer one would end at once. */
const longestMs = 2 ** 31 - 1

function msIn(env: Terminal['env'], name: string, unitMs: number): number | undefined {
  const text = env[name]
  if (!text) return undefined
  if (/^\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Math.min(Number(text) * unitMs, longestMs)
  throw new CommandError(`${name} must be a number, not "${text}".`)
}
