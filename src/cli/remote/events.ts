import { SseJoiner, parseFrame, splitFrames } from '../../lib/sse.ts'
import { within } from '../../lib/deadline.ts'
import { GatewayAway } from './failures.ts'

/** The largest event, in bytes. */
const mostBytes = 4 * 1024 * 1024

/** How a stream of events is read. */
interface EventOptions {
  /** The origin of the gateway, for messages. */
  readonly origin: string
  /** A stream without a byte for so many milliseconds is broken: the gateway sends some in between. */
  readonly idleMs: number
}

/**
 * The data of server-sent events, up to the event `complete`. Rejects with `GatewayAway` if the stream
 * breaks off.
 */
export async function* readEvents(
  { body }: Response,
  options: EventOptions,
): AsyncGenerator<string> {
  const joiner = new SseJoiner()
  for await (const chunk of chunksOf(body, options)) {
    const frames = joiner.feed(Buffer.from(chunk))
    if (joiner.pendingBytes > mostBytes) {
      throw new GatewayAway(`${options.origin} sends an event that is too large.`)
    }
    for (const frame of frames ? splitFrames(frames) : []) {
      const { name, data } = parseFrame(frame)
      if (name === 'complete') return
      if (data) yield data
    }
  }
  throw lost(options)
}

async function* chunksOf(
  body: Response['body'],
  options: EventOptions,
): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await within(options.idleMs, reader.read(), () => lost(options))
      if (done) return
      yield value
    }
  } catch (error) {
    throw error instanceof GatewayAway ? error : lost(options, error)
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function lost({ origin }: EventOptions, cause?: unknown): GatewayAway {
  return new GatewayAway(`The connection to ${origin} has broken off.`, { cause })
}
