import { deepEqual, equal, ok } from 'node:assert/strict'

import { GatewayError } from '../../contract/errors.ts'
import type { Framing } from '../../contract/framing.ts'
import { parseObject } from '../../lib/json/object.ts'
import { essenceOf } from '../../lib/media-type.ts'
import { plainEvents } from './plain-events.ts'
import { type DialectSample, bytesOf } from './dialect-sample.ts'
import type { DialectStage } from './dialect-stage.ts'

/** A stream that ends too early. */
interface CutStream {
  readonly name: string
  /** The frames that arrive whole, and the beginning of the next one. */
  readonly whole: readonly (string | Buffer)[]
  readonly rest: Buffer
}

/** The stream of a sample, cut before and inside of each frame. */
export function cutStreams({ frames }: Pick<DialectSample, 'frames'>): CutStream[] {
  return frames.flatMap((frame, at) => {
    const whole = frames.slice(0, at)
    const half = Buffer.from(frame as Buffer)
    const cut = half.subarray(0, Math.ceil(Math.min(half.length, firstLines(half)) / 2))
    return [
      {
        name: `a stream that ends after ${at} of ${frames.length} frames is no success`,
        whole,
        rest: Buffer.alloc(0),
      },
      {
        name: `a stream that is cut inside frame ${at + 1} of ${frames.length} is no success`,
        whole,
        rest: cut.length < half.length ? cut : Buffer.alloc(0),
      },
    ]
  })
}

/** A frame of a sample may stand for several server-sent events: the first one is cut. */
function firstLines(frame: Buffer): number {
  const end = frame.indexOf('\n\n')
  return end < 0 ? frame.length : end
}

/** The whole stream is a success. */
export async function checkWhole(stage: DialectStage, { frames }: DialectSample): Promise<void> {
  const whole = bytesOf(frames)
  stage.streamWith([whole])
  const { status, contentType, bytes, isReset } = await stage.ask(true)
  equal(status, 200, `the whole stream is a success, and not: ${bytes.toString().slice(0, 300)}`)
  ok(stage.framing().mediaTypes.includes(essenceOf(contentType)), `its type is ${contentType}`)
  ok(!isReset, 'the whole stream ends without a reset')
  equal(bytes.toString('latin1'), whole.toString('latin1'))
  const [line] = await stage.gateway.logged(1)
  deepEqual([line?.['stream_end'], line?.['error_type']], ['complete', undefined])
}

/** In the same place where the whole stream is a success, a cut one is broken, and the client learns of it. */
export async function checkCut(
  stage: DialectStage,
  sample: DialectSample,
  { whole, rest }: CutStream,
): Promise<void> {
  await checkWhole(stage, sample)
  const good = bytesOf(whole)
  stage.streamWith([good, rest])
  const { status, contentType, bytes, isReset } = await stage.ask(true)
  const [, line] = await stage.gateway.logged(2)
  equal(line?.['error_type'], 'upstream_stream_broken', 'the access log names the broken stream')
  if (status !== 200) {
    ok(status >= 500, `a broken stream is no ${status}`)
    return checkErrorReply(stage, contentType, bytes)
  }
  equal(line?.['stream_end'], 'broken', 'the access log reports the broken stream')
  ok(isReset || !stage.framing().hasEnd, 'a stream without its last frame is reset')
  checkTail(stage, sample, good, { bytes, isReset })
  const plain = plainEvents(stage.framing(), bytes.subarray(good.length))
  deepEqual(plain, [], 'no error is framed as a plain event')
}

/** The client gets the good frames as they are, and then an error or a reset. */
export function checkTail(
  stage: DialectStage,
  { isError = isObjectText }: DialectSample,
  good: Buffer,
  { bytes, isReset }: { readonly bytes: Buffer; readonly isReset: boolean },
): void {
  const start = bytes.subarray(0, good.length)
  equal(start.toString('latin1'), good.toString('latin1'), 'the client gets the whole frames')
  // Throws for bytes that are no frames.
  stage.framing().join().feed(bytes)
  const tail = eventsIn(bytes.subarray(good.length), stage.framing())
  ok(isReset || tail.length > 0, 'the client gets an error or a reset')
  for (const data of tail) ok(isError(data), `the client gets an error, and not: ${data}`)
}

/** Before the first output, the client gets an error reply in the form of the dialect. */
export function checkErrorReply(stage: DialectStage, contentType: string, bytes: Buffer): void {
  equal(essenceOf(contentType), 'application/json')
  const error = new GatewayError('upstream_stream_broken', 'The stream broke.')
  const { body } = stage.dialect().error(error, { id: 'request' })
  const found = JSON.parse(bytes.toString()) as object
  deepEqual(Object.keys(found).toSorted(), Object.keys(body as object).toSorted())
}

/** After an error, `[DONE]` may follow. */
function isObjectText(data: string): boolean {
  return data === '[DONE]' || parseObject(data) !== undefined
}

function eventsIn(frames: Buffer, framing: Framing): string[] {
  const events: string[] = []
  for (let start = 0; start < frames.length;) {
    const end = framing.frameEnd(frames, start)
    const { data } = framing.parse(frames.subarray(start, end))
    if (data !== undefined) events.push(data)
    start = end
  }
  return events
}
