import type { FrameSink, GenerateCodec } from '../../src/contract/codec.ts'
import type { Framing } from '../../src/contract/framing.ts'
import { sse } from '../../src/kit/framing/sse.ts'

/** A codec that writes server-sent events, in another framing. */
export function reframed(codec: GenerateCodec, framing: Framing): GenerateCodec {
  return {
    ...codec,
    encodeEvents(context, sink) {
      const output = sinkIn(framing, sink)
      const encoder = codec.encodeEvents(context, output)
      return {
        id: encoder.id,
        get items() {
          return encoder.items
        },
        encode(event) {
          encoder.encode(event)
          if (event.type === 'finish') output.end()
        },
        fail: (error) => (encoder.fail(error), framing.hasEnd ? 'reset' : 'end'),
      }
    },
  }
}

/** Frames each server-sent event again. */
function sinkIn(framing: Framing, sink: FrameSink): FrameSink & { end(): void } {
  const encoder = framing.encode()
  const write = (bytes: string | Buffer) => {
    const frames = Buffer.from(bytes as Buffer)
    for (let start = 0; start < frames.length;) {
      const end = sse.frameEnd(frames, start)
      const { name, data } = sse.parse(frames.subarray(start, end))
      if (data !== undefined) sink.write(encoder.frame({ name, data, isError: name === 'error' }))
      start = end
    }
  }
  return { write, end: () => sink.write(encoder.end()) }
}
