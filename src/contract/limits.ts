import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

/** Deadlines of an exchange, in milliseconds. */
export interface Timeouts {
  /** To open a connection to an account. */
  readonly connectMs: number
  /** Until the first byte of an account's reply. Long, because models think before they write. */
  readonly firstByteMs: number
  /** Between two bytes of an account's reply. */
  readonly idleMs: number
  /** For a whole attempt. */
  readonly totalMs: number
  /** How long the client gets no byte before the gateway sends a keep-alive frame. */
  readonly keepAliveMs: number
  /** How long the gateway delays start events, so that another account can still serve the call. */
  readonly holdMs: number
  /** Between two bytes of a client's request body, and the time over which its speed is measured. */
  readonly requestBodyMs: number
  /** How long the gateway reads a reply to its end after the client has left. */
  readonly drainMs: number
  /**
   * How long an exchange waits for a hook of a plugin, without the time in which the hook waits for its `next`, and
   * for one event of an `onEvents` mapper.
   */
  readonly pluginMs: number
  /** How long critical `onOutcome` hooks may delay the end of a reply. */
  readonly outcomeMs: number
}

/** The deadlines that an account may have of its own. */
export type AccountTimeouts = Partial<
  Pick<Timeouts, 'connectMs' | 'firstByteMs' | 'idleMs' | 'totalMs' | 'holdMs'>
>

/** Sizes in bytes, a speed in bytes per second, and numbers. */
export interface Limits {
  /** A JSON request body, decompressed. */
  readonly jsonBodyBytes: number
  /** Levels of nested objects and lists in a JSON request, or in a reply of an account. */
  readonly jsonDepth: number
  /** Values and member names in a JSON request, or in a reply of an account. */
  readonly jsonValues: number
  /** Times that a body may be as large decompressed as compressed, above 64 KiB. */
  readonly expansionRatio: number
  /** Bodies, parsed JSON and replies of this process together; small ones count where their free part is full. */
  readonly memoryBytes: number
  /** Calls of one key that this process serves at once. */
  readonly callsPerKey: number
  /** The least speed of a request body, on average over `Timeouts.requestBodyMs`. */
  readonly bodyBytesPerSecond: number
  /** A form, files included. */
  readonly formBytes: number
  /** The content of one part of a form. */
  readonly formPartBytes: number
  /** All forms of this process on disk. */
  readonly spoolBytes: number
  /** All uploads of this process that are in JSON bodies, before base64. */
  readonly inlineBytes: number
  /** A JSON reply of an account, which stays in memory until the attempt is settled. */
  readonly replyBytes: number
  /** A frame of a stream, which stays in memory until it is complete. */
  readonly frameBytes: number
  /** The start events of a stream that the gateway delays, see `Timeouts.holdMs`. */
  readonly holdBytes: number
  /** Attempts for one call. */
  readonly attempts: number
}

/** The bounds of the default of `memoryBytes`, in bytes. */
const leastMemory = 64 * 1024 * 1024
const mostMemory = 512 * 1024 * 1024

/**
 * A quarter of the memory that the process may use, since garbage and copies come on top of the bytes
 * that are counted.
 */
function affordableMemory(): number {
  const allowed = process.constrainedMemory() || Infinity
  const usable = Math.min(allowed, totalmem(), 2 * getHeapStatistics().heap_size_limit)
  return Math.round(Math.min(Math.max(usable / 4, leastMemory), mostMemory))
}

/** The upstream reply after the client has left: stop at once, or read on for the token usage. */
export type ClientGonePolicy = 'abort' | 'drain'

/** The timeouts that apply without configuration. */
export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 900_000,
  idleMs: 900_000,
  totalMs: 7_200_000,
  keepAliveMs: 15_000,
  holdMs: 5_000,
  requestBodyMs: 60_000,
  drainMs: 55_000,
  pluginMs: 30_000,
  outcomeMs: 2_000,
}

/** The limits that apply without configuration. */
export const defaultLimits: Limits = {
  jsonBodyBytes: 64 * 1024 * 1024,
  jsonDepth: 200,
  jsonValues: 250_000,
  expansionRatio: 100,
  memoryBytes: affordableMemory(),
  callsPerKey: 1_000,
  bodyBytesPerSecond: 1024,
  formBytes: 1024 * 1024 * 1024,
  formPartBytes: 512 * 1024 * 1024,
  spoolBytes: 4 * 1024 * 1024 * 1024,
  inlineBytes: 512 * 1024 * 1024,
  replyBytes: 64 * 1024 * 1024,
  // One frame is read in one turn of the event loop: this much takes under 250 ms (`npm run test:hostile`).
  frameBytes: 32 * 1024 * 1024,
  holdBytes: 16 * 1024,
  attempts: 5,
}
