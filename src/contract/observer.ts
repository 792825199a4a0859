import type { Completeness } from './codec.ts'
import type { GatewayError } from './errors.ts'
import type { Outcome, Produced, Usage } from './outcome.ts'
import type { StoredData } from './stored-data.ts'
import type { Work } from '../lib/turns.ts'

/**
 * Reads an account's stream on its way to the client: detects its outcome, and whether it is complete,
 * and formats errors for its dialect. The gateway passes whole frames only.
 */
export interface Observer {
  /** The content type of the stream to the client. */
  readonly contentType: string
  /** Reads one or more whole frames. */
  observe(frames: Buffer): Observation
  /** Does a part of the work on large frames, in turns of the event loop before `observe` gets the result. */
  prepare?(frames: Buffer): Work<Buffer>
  /** The upstream closed the stream cleanly. */
  end(): Observation
  /** The last bytes of a broken stream. Then the stream ends, or the connection is reset. */
  fail(error: GatewayError): { readonly bytes: Buffer; readonly ending: 'end' | 'reset' }
  /** Bytes without meaning, which may stand at any frame boundary. */
  keepAlive(): Buffer
  /** Set if the stream can be complete although the upstream leaves the connection open. */
  readonly completeness?: Completeness | undefined
  /** The counts that the account has reported so far, for a stream that is not read to its end. */
  readonly usage?: Usage | undefined
  /** An estimate of the tokens of the output so far, for a stream without such a count. */
  readonly outputTokens?: number | undefined
  /** The data that the stream has disclosed so far, for one that is not read to its end. */
  readonly discloses?: readonly StoredData[] | undefined
  /** The bytes that a translation may hold of the stream so far. Absent: it holds none. */
  readonly size?: number
  /**
   * Whether events of the frames so far wait: for a plugin, or for later turns of the event loop. Meanwhile the
   * account is paused.
   */
  readonly isWaiting?: boolean
  /** Called once while `isWaiting`. Resolves when more events have passed, and never rejects. */
  later?(): Promise<Observation> | undefined
  /** The attempt is over: no event has to wait any more. */
  cancel?(): void
}

/**
 * - `start`: only start events so far, so that another account can still serve the call
 * - `output`: output for the client
 * - `terminal`: these frames complete the stream
 * - `failed`: the upstream reports an error, or the frames are malformed
 */
export interface Observation {
  readonly phase: 'start' | 'output' | 'terminal' | 'failed'
  /** With `terminal`, and with `failed` if the upstream reports the error. */
  readonly outcome?: Outcome
  readonly error?: GatewayError
  /** A resource that clients can retrieve by its id from now on, while the stream continues. */
  readonly announced?: Produced | undefined
  /** The output that replaces the frames; with `failed`, the valid frames before the failure. */
  readonly bytes?: Buffer
}
