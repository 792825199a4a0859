/** Milliseconds, unless the name says otherwise. */
export interface Timeouts {
  readonly connectMs: number
  /** Until the first byte of an answer. Long: models may think in silence. */
  readonly firstByteMs: number
  /** Longest silence inside an answer. */
  readonly idleMs: number
  /** The whole attempt. */
  readonly totalMs: number
  /** Silence towards the client after which a keep-alive is sent. */
  readonly keepAliveMs: number
  /** How long announcements may be held back for the sake of another account. */
  readonly holdMs: number
  readonly requestBodyMs: number
  /** How long an upstream is read to its end for a client that has left. */
  readonly drainMs: number
  /** How long critical `onOutcome` hooks may hold up the end of a reply. */
  readonly outcomeMs: number
}

export interface Limits {
  readonly jsonBodyBytes: number
  /** A whole form, files included. */
  readonly formBytes: number
  /** The content of one part of a form. */
  readonly formPartBytes: number
  /** What all forms together may take on disk, in this process. */
  readonly spoolBytes: number
  /** What uploads that stand in JSON bodies may have together, in this process, before they are base64. */
  readonly inlineBytes: number
  /** A JSON reply is held whole until it is settled. */
  readonly replyBytes: number
  /** A frame of a stream is handed on whole. */
  readonly frameBytes: number
  /** Announcements held back for the sake of another account. */
  readonly holdBytes: number
  /** Accounts asked for one call. */
  readonly attempts: number
}

/** What happens upstream when the client leaves: stop at once, or read on for the usage. */
export type ClientGonePolicy = 'abort' | 'drain'

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  firstByteMs: 900_000,
  idleMs: 900_000,
  totalMs: 7_200_000,
  keepAliveMs: 15_000,
  holdMs: 5_000,
  requestBodyMs: 60_000,
  drainMs: 30_000,
  outcomeMs: 2_000,
}

export const defaultLimits: Limits = {
  jsonBodyBytes: 64 * 1024 * 1024,
  formBytes: 1024 * 1024 * 1024,
  formPartBytes: 512 * 1024 * 1024,
  spoolBytes: 4 * 1024 * 1024 * 1024,
  inlineBytes: 512 * 1024 * 1024,
  replyBytes: 64 * 1024 * 1024,
  frameBytes: 64 * 1024 * 1024,
  holdBytes: 16 * 1024,
  attempts: 5,
}
