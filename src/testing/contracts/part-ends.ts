import { ok } from 'node:assert/strict'

import type { GenerateCodec } from '../../contract/codec.ts'
import { stageCodec } from './codec-stage.ts'
import { requestWith } from './codec-requests.ts'
import { type DialectSample, bytesOf } from './dialect-sample.ts'
import type { DialectStage } from './dialect-stage.ts'
import { type ReadStream, framedEvents, readStream } from './read-stream.ts'

/** Where accounts end a part by a frame of its own, the codec writes such a frame as well. */
export async function checkPartEnds(stage: DialectStage, sample: DialectSample): Promise<void> {
  stage.streamWith([bytesOf(sample.frames)])
  await stage.ask(true)
  const codec = stage.dialect().generate?.codec
  if (codec) compareEnds(codec, stage, sample)
}

function compareEnds(codec: GenerateCodec, stage: DialectStage, { frames }: DialectSample): void {
  const framing = stage.framing()
  const read = readStream(codec, framedEvents(framing, bytesOf(frames)), requestWith({}))
  ok(read.result, 'the codec reads the stream of the sample')
  const written = stageCodec(codec, { framing, model: 'model-1', clientBody: {} })
  const again = written.eventTrip(read.result)
  ok(again.result, 'the codec reads what it writes')
  ok(!endsAlone(read) || endsAlone(again), 'the codec writes no frame that ends a part')
}

/** Whether a frame means nothing but the end of a part. */
function endsAlone({ frames }: ReadStream): boolean {
  return frames.some((events) => events.length > 0 && events.every(({ type }) => type === 'end'))
}
