import type { Duplex } from 'node:stream'

import type { GatewayError } from '../contract/errors.ts'
import type { Reply } from '../contract/outcome.ts'
import type { DecodingLimits } from '../lib/content-decoder.ts'
import type { AttemptFailure } from './failure.ts'

/** The headers of an account's reply. */
export type ReplyHeaders = Record<string, string | string[] | undefined>

/**
 * Reads an account's reply, for a `RunningAttempt`, which calls it until the attempt is over. What it throws breaks
 * the attempt.
 */
export interface ReplyReader {
  /** Whether the client gets the body as the upstream encodes it. */
  readonly passesEncoding?: boolean
  /** An estimate of the tokens of the output so far. */
  readonly outputTokens?: number | undefined
  /** The limits of a compressed reply. Default: the limits of a reply that is held whole. */
  readonly decodingLimits?: DecodingLimits
  /** Reads the head of a 2xx reply. May throw a `GatewayError` to refuse the reply. */
  onAccepted(status: number, headers: ReplyHeaders): void
  /** The connection has another protocol now. Default: it ends. */
  onUpgraded?(headers: ReplyHeaders, connection: Duplex): void
  /** Reads a piece of the body of a 2xx reply. */
  onBytes(chunk: Buffer): void
  /** Reads the end of a 2xx reply. */
  onComplete(): void
  /** Ends the attempt for an error of the reply's bytes, for a deadline, or because the process ends. */
  onBroken(error: GatewayError): void
  /** Handles the cut of a reply behind the bytes so far. Default: `onBroken`. */
  onInterrupted?(error: GatewayError): void
  /** Handles an error reply. Default: the attempt fails with it. */
  onRefused?(failure: AttemptFailure): void
  /** Default: `RunningAttempt.leaveClient`. */
  onClientGone?(): void
  /** Checks deadlines. Default: `RunningAttempt.checkDeadlines`. */
  tick?(now: number): void
  /** Ends an attempt whose reply is no longer needed. Default: the attempt fails as abandoned. */
  cancel?(): void
  /** The attempt is about to be over. */
  onStop?(): void
  /** Whether `body` is the reader's stream, or another reader consumes that stream. Default: it is not. */
  serves?(body: Reply['body'] | undefined): boolean
}
