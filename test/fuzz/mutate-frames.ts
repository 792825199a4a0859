import type { JsonObject } from '../../src/lib/json/object.ts'
import { mutateJson } from './mutate-json.ts'
import type { Random } from './random.ts'

/** The frames of a stream with one thing changed. */
export type FrameMutation = (frames: readonly Buffer[], random: Random) => Buffer[]

/** Changes a stream once, or a few times. */
export function mutateFrames(frames: readonly Buffer[], random: Random): Buffer[] {
  let changed = [...frames]
  const times = random.oneIn(3) ? 1 + random.below(4) : 1
  for (let time = 0; time < times && changed.length > 0; time++) {
    changed = random.pick(mutations)(changed, random)
  }
  return changed
}

const insideJson: FrameMutation = (frames, random) =>
  replaced(frames, random, (frame) => withData(frame, (json) => mutateJson(json, random)))

const mutations: readonly FrameMutation[] = [
  insideJson,
  insideJson,
  insideJson,
  insideJson,
  /** Lost. */
  (frames, random) => frames.toSpliced(random.below(frames.length), 1),
  /** The end is lost. */
  (frames, random) => frames.slice(0, -1 - random.below(3)),
  /** The beginning is lost. */
  (frames, random) => frames.slice(1 + random.below(2)),
  /** Twice. */
  (frames, random) => {
    const at = random.below(frames.length)
    return frames.toSpliced(random.below(frames.length + 1), 0, frames[at]!)
  },
  /** Two in the wrong order. */
  (frames, random) => {
    const one = random.below(frames.length)
    const other = random.below(frames.length)
    return frames.with(one, frames[other]!).with(other, frames[one]!)
  },
  /** Everything twice. */
  (frames) => [...frames, ...frames],
  /** Broken off in the middle of a frame. */
  (frames, random) => {
    const at = random.below(frames.length)
    const frame = frames[at]!
    return [...frames.slice(0, at), frame.subarray(0, random.below(frame.length))]
  },
  /** Bytes cut out. */
  (frames, random) =>
    replaced(frames, random, (frame) => {
      const from = random.below(frame.length)
      const to = from + 1 + random.below(random.oneIn(2) ? 3 : frame.length - from)
      return Buffer.concat([frame.subarray(0, from), frame.subarray(to)])
    }),
  /** A byte flipped, or one that is no UTF-8. */
  (frames, random) =>
    replaced(frames, random, (frame) => {
      const copy = Buffer.from(frame)
      if (copy.length === 0) return copy
      const at = random.below(copy.length)
      copy[at] = random.oneIn(2) ? copy[at]! ^ (1 << random.below(8)) : 0x80 + random.below(0x80)
      return copy
    }),
  /** Bytes of somewhere else. */
  (frames, random) =>
    replaced(frames, random, (frame) => {
      const at = random.below(frame.length)
      return Buffer.concat([frame.subarray(0, at), random.pick(strays), frame.subarray(at)])
    }),
  /** A whole frame of somewhere else. */
  (frames, random) => frames.toSpliced(random.below(frames.length + 1), 0, random.pick(unknown)),
  /** Another event name. */
  (frames, random) =>
    replaced(frames, random, (frame) => {
      const name = random.pick(names)
      const rest = frame.toString().replace(/^event:.*\n/m, '')
      return Buffer.from(name === '' ? rest : `event: ${name}\n${rest}`)
    }),
  /** Windows' line ends. */
  (frames) => frames.map((frame) => Buffer.from(frame.toString().replaceAll('\n', '\r\n'))),
]

const strays = ['\n', '\r\n', '\n\n', '"', '}', '{', '\\', '\0', 'data: ', ': x\n', '\ufeff'].map(
  (text) => Buffer.from(text),
)

const names = ['', 'error', 'ping', 'message_stop', 'response.completed', 'nobody.knows']

const unknown = [
  ': keep-alive\n\n',
  '\n\n',
  'data: [DONE]\n\n',
  'data: {}\n\n',
  'data: null\n\n',
  'data: []\n\n',
  'data: 1\n\n',
  'data:\n\n',
  'data\n\n',
  'event: ping\ndata: {"type":"ping"}\n\n',
  'event: nobody.knows\ndata: {"type":"nobody.knows","index":7}\n\n',
  'data: {"error":{"message":"Overloaded","type":"overloaded_error","code":503}}\n\n',
  'data: {"error":"it broke"}\n\n',
  'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"x"}}\n\n',
  'id: 7\nretry: 10\n\n',
].map((text) => Buffer.from(text))

function replaced(
  frames: readonly Buffer[],
  random: Random,
  change: (frame: Buffer) => Buffer,
): Buffer[] {
  const at = random.below(frames.length)
  return frames.with(at, change(frames[at]!))
}

/** A frame with its data changed; one without a JSON object in it stays as it is. */
function withData(frame: Buffer, change: (json: JsonObject) => JsonObject): Buffer {
  const text = frame.toString()
  const data = /^data: (\{.*\})$/m.exec(text)?.[1]
  if (data === undefined) return frame
  try {
    const json = JSON.stringify(change(JSON.parse(data) as JsonObject))
    return Buffer.from(text.replace(data, () => json))
  } catch {
    return frame
  }
}
