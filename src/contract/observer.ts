import type { Chunk } from '../lib/http-chunk.ts'
import type { Completeness } from './codec.ts'
import type { GatewayError } from './errors.ts'
import type { Outcome, Produced } from './outcome.ts'

/**
 * Looks on while a native stream passes. It is given whole frames only, however the network cut
 * them, and knows when the stream has not ended as it should and how to say so in its dialect.
 */
export interface Observer {
  /** The reply header of the stream as the client sees it. */
  readonly contentType: string
  /** One or more whole frames. */
  observe(frames: Buffer): Observation
  /** The upstream closed the stream in good order. */
  end(): Observation
  /** The last bytes of a stream that broke; then a clean end, or a reset of the connection. */
  fail(error: GatewayError): { readonly bytes: Buffer; readonly ending: 'end' | 'reset' }
  /** Harmless bytes for a silent stream, at a frame boundary. */
  keepAlive(): Buffer
  /** Set where a stream that its upstream leaves open may be taken for ended. */
  readonly completeness?: Completeness | undefined
}

/**
 * - `start`: nothing but announcements so far, another account may still take over
 * - `output`: something the client waits for
 * - `terminal`: the stream is complete with these frames
 * - `failed`: the upstream told of an error, or the frames are broken
 */
export type Observation = Observed &
  (
    | {
        readonly phase: 'output'
        /** In place of `bytes`: the same where it need not be copied to go out. */
        readonly chunk?: Chunk
      }
    | { readonly phase: 'start' | 'terminal' | 'failed'; readonly chunk?: never }
  )

interface Observed {
  /** With `terminal`, and with `failed` where the upstream said what went wrong. */
  readonly outcome?: Outcome
  readonly error?: GatewayError
  /** With `start`: what can be asked for by its id from now on, while the stream goes on. */
  readonly announced?: Produced | undefined
  /** What goes to the client instead of the frames; with `failed`, the good frames before. */
  readonly bytes?: Buffer
}
