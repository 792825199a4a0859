import { deepEqual, equal, ok } from 'node:assert/strict'

import type { GenerateCodec } from '../../contract/codec.ts'
import { answerJson } from '../fake-account.ts'
import type { ContractCheck } from './check.ts'
import { checkCut, checkWhole, cutStreams } from './cut-streams.ts'
import { requestWith } from './codec-requests.ts'
import { stageCodec } from './codec-stage.ts'
import { type DialectContractOptions, type DialectSample, bytesOf } from './dialect-sample.ts'
import { checkErrorEvent, errorEvents } from './error-events.ts'
import { checkErrorStatus } from './error-status.ts'
import { type DialectStage, stageDialect } from './dialect-stage.ts'
import { type ReadStream, framedEvents, readStream } from './read-stream.ts'

/**
 * The contract of every dialect, checked over real sockets. With vitest:
 * `for (const check of dialectContract({ plugins: [mine()], sample })) test(check.name, check.run)`.
 */
export function dialectContract({ plugins = [], sample }: DialectContractOptions): ContractCheck[] {
  const { reply, frames } = sample

  const check = (name: string, run: (stage: DialectStage) => Promise<void>): ContractCheck => ({
    name,
    async run() {
      await using stage = await stageDialect(sample, plugins)
      stage.answerWith(answerJson(reply))
      await run(stage)
    },
  })

  return [
    check('a reply passes as it is', async ({ ask }) => {
      const answer = await ask(false)
      deepEqual([answer.status, answer.text], [200, JSON.stringify(reply)])
    }),
    check('a whole stream is a success', (stage) => checkWhole(stage, sample)),
    ...[1, 7, 64].map((size) =>
      check(`a stream passes as it is, cut into pieces of ${size}`, async (stage) => {
        const whole = bytesOf(frames)
        stage.streamWith(pieces(whole, size))
        const { status, bytes } = await stage.ask(true)
        deepEqual([status, bytes.toString('latin1')], [200, whole.toString('latin1')])
      }),
    ),
    ...cutStreams(sample).map((cut) => check(cut.name, (stage) => checkCut(stage, sample, cut))),
    ...errorEvents(sample).map((event) =>
      check(event.name, (stage) => checkErrorEvent(stage, sample, event)),
    ),
    ...sample
      .errorFrames('')
      .map((_, form) =>
        check(`error event ${form + 1} has one status, native and translated`, (stage) =>
          checkErrorStatus(stage, sample, form),
        ),
      ),
    check('a stream of the codec, if there is one, ends its parts as accounts do', (stage) =>
      checkPartEnds(stage, sample),
    ),
    check('a client without a key reaches no account', async (stage) => {
      const { status } = await stage.ask(false, { key: '' })
      deepEqual([status, stage.upstreamCalls()], [401, 0])
    }),
    check('a body that is no object reaches no account', async (stage) => {
      for (const body of ['[]', '7', '{"unfinished":']) {
        const { status, text } = await stage.ask(false, { body })
        equal(status, 400)
        ok(JSON.parse(text), 'an error has a JSON body')
      }
      equal(stage.upstreamCalls(), 0)
    }),
    ...[400, 500].map((status) =>
      check(`an account that answers ${status} is not shown by its error`, async (stage) => {
        const error = { error: { message: stage.tellingMessage } }
        stage.answerWith(answerJson(error, { status }))
        const answer = await stage.ask(false)
        equal(answer.status, status)
        ok(JSON.parse(answer.text), 'an error has a JSON body')
        stage.checkSecrets(answer.text)
      }),
    ),
  ]
}

function pieces(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
}

/** Where accounts end a part by a frame of its own, the codec writes such a frame as well. */
async function checkPartEnds(stage: DialectStage, sample: DialectSample): Promise<void> {
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
