/** One event of a stream. */
export interface FramedEvent {
  /** `''` for an event without a name. */
  readonly name: string
  /** `undefined` for a frame without an event: a comment, white space, the end of an array. */
  readonly data: string | undefined
  /** Whether the frame ends the whole stream, see `Framing.hasEnd`. */
  readonly isEnd?: boolean
  /** Whether the framing marks the event as an error. Framings without such a mark leave it out. */
  readonly isError?: boolean
}

/** An event for a client. */
export interface EventToFrame {
  /** Absent: the event has no name. Framings without names ignore it. */
  readonly name?: string | undefined
  /** JSON on one line, or another text without line ends where the framing carries one. */
  readonly data: string
  /** Whether the event reports an error. Framings that do not distinguish errors ignore it. */
  readonly isError?: boolean
}

/** An event whose data is UTF-8, and JSON on one line. */
export interface BytesToFrame extends Omit<EventToFrame, 'data'> {
  readonly data: Buffer
}

/**
 * How a stream is divided into frames, each of which holds one event or none. A dialect names one of the
 * shipped framings, or brings its own. It throws a `GatewayError` `upstream_stream_broken` for bytes of an
 * account that it cannot read.
 */
export interface Framing {
  /**
   * The media types of the stream. Requests to accounts ask for the first one; a reply with any of them is
   * accepted.
   */
  readonly mediaTypes: readonly [string, ...string[]]
  /** The `content-type` of a stream to a client. */
  readonly contentType: string
  /** Whether a whole stream ends with a frame of its own: without it even a stream with all its events is cut off. */
  readonly hasEnd?: boolean
  /** Begins to join the chunks of one stream. */
  join(): FrameJoiner
  /** The position after the frame that starts at `start`, in a run of whole frames. */
  frameEnd(frames: Buffer, start: number): number
  /**
   * Whether the frame that ends at `end` ends as one with a whole JSON object does. It runs for most frames of
   * a native stream and looks at a few bytes. `false` for an event that the framing marks as an error. Absent:
   * the gateway decodes every frame.
   */
  endsWhole?(frames: Buffer, end: number): boolean
  /** Decodes one frame. */
  parse(frame: Buffer): FramedEvent
  /** Returns a frame with changed data, and the frame itself if `change` returns the bytes that it gets. */
  withData(frame: Buffer, change: (data: Buffer) => Buffer): Buffer
  /** Begins to frame the events of one stream to a client. */
  encode(): FrameEncoder
  /** A keep-alive: bytes that readers skip, between any two frames to a client. Absent: the framing knows no keep-alive. */
  readonly keepAlive?: string
}

/** Joins the chunks of one stream into runs of whole frames, in linear time. */
export interface FrameJoiner {
  /** The number of bytes of the incomplete frame. */
  readonly pendingBytes: number
  /** The error of the bytes behind the frames that `feed` has returned. Absent: no error is known. */
  readonly broken?: unknown
  /**
   * Adds a chunk. Returns the frames that it completes; `undefined` if it completes no frame. Throws if no
   * frame precedes an error.
   */
  feed(chunk: Buffer): Buffer | undefined
  /**
   * Returns the frames that the end of the stream completes; `undefined` for none. Throws if the stream ends in
   * the middle of a frame, or without the frame that has to end it.
   */
  end(): Buffer | undefined
}

/** Frames the events of one stream to a client. */
export interface FrameEncoder {
  frame(event: EventToFrame): string | Buffer
  /** The same for an event whose data is not decoded, in pieces. Absent: the gateway decodes it. */
  frameBytes?(event: BytesToFrame): readonly Buffer[]
  /** The end of a whole stream, see `Framing.hasEnd`. Empty for others. */
  end(): string
}
