import type { Framing } from '../../contract/framing.ts'
import type { GatewayPlugin } from '../../contract/plugin.ts'

/** One operation of a dialect, with example requests and replies on the wire. */
export interface DialectSample {
  /** A provider whose accounts speak the dialect. */
  readonly provider: string
  /** The path of the operation, as in requests of an SDK. */
  readonly path: string
  /** The path of a streamed request, if it differs. */
  readonly streamPath?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Valid bodies; the model may have any name. */
  readonly request: object
  readonly streamRequest: object
  /** A complete reply, and the frames of a complete stream, which only the last frame completes. */
  readonly reply: object
  readonly frames: readonly (string | Buffer)[]
  /**
   * The frames in which accounts report an error inside a stream, one for each form that they use, with this
   * message as their own. Such a frame may stand behind the first frame of `frames`, and before the last one.
   */
  errorFrames(message: string): readonly (string | Buffer)[]
  /** How the frames are framed, for clients as for accounts. Default: the framing of the dialect's accounts. */
  readonly framing?: Framing
  /**
   * Whether the data of an event reports an error to a client. Default: every JSON object after the
   * account's frames does.
   */
  isError?(data: string): boolean
}

/** The options of `dialectContract`. */
export interface DialectContractOptions {
  /** The plugin that adds the dialect. Default: none, for a shipped dialect. */
  readonly plugins?: readonly GatewayPlugin[]
  readonly sample: DialectSample
}

/** The bytes of frames. */
export function bytesOf(frames: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(frames.map((frame) => Buffer.from(frame as Buffer)))
}
