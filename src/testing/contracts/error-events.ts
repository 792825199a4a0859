import { equal, ok } from 'node:assert/strict'

import { checkErrorReply, checkTail, checkWhole } from './cut-streams.ts'
import { type DialectSample, bytesOf } from './dialect-sample.ts'
import type { LogLines } from '../lines.ts'
import type { DialectStage, Received } from './dialect-stage.ts'

/** A place of a stream in which an account reports an error. */
interface ErrorEventCase {
  readonly name: string
  /** The index in `errorFrames` of the sample. */
  readonly form: number
  /** The number of frames before it. */
  readonly after: number
}

/** Each form of an error event, behind the first frame and before the last one. */
export function errorEvents({ frames, errorFrames }: DialectSample): ErrorEventCase[] {
  const places = [...new Set([1, frames.length - 1])].filter((after) => after < frames.length)
  return errorFrames('').flatMap((_, form) =>
    places.map((after) => ({
      name: `error event ${form + 1} in a stream, after ${after} of ${frames.length} frames, is a failure without secrets`,
      form,
      after,
    })),
  )
}

/** An error event makes a failure of the stream, before its output has left the gateway and after that. */
export async function checkErrorEvent(
  stage: DialectStage,
  sample: DialectSample,
  { form, after }: ErrorEventCase,
): Promise<void> {
  await checkWhole(stage, sample)
  const good = bytesOf(sample.frames.slice(0, after))
  const [error] = sample.errorFrames(stage.tellingMessage).slice(form)
  ok(error, 'the sample has this form of an error for every message')
  stage.streamWith([good])
  // Frames without output are held back: a client never gets them before the error.
  const hasOutput = (await stage.ask(true)).status === 200
  stage.streamWith([good, Buffer.from(error as Buffer)])
  checkFailure(stage, sample, good, await stage.ask(true), (await stage.gateway.logged(3))[2])
  if (!hasOutput) return
  stage.streamWith([good], { last: Buffer.from(error as Buffer) })
  const received = await stage.ask(true)
  equal(received.status, 200)
  checkFailure(stage, sample, good, received, (await stage.gateway.logged(4))[3])
}

function checkFailure(
  stage: DialectStage,
  sample: DialectSample,
  good: Buffer,
  received: Received,
  line: LogLines[number] = {},
): void {
  const { status, contentType, bytes, text } = received
  stage.checkSecrets(text)
  const type = line['error_type']
  ok(!untyped.has(type), `the error of the account is no ${String(type)}`)
  // Some dialects have a last event for replies that fail, with which the stream is whole.
  if (type === undefined) equal(stage.outcome()?.status, 'failed', 'the outcome is a failure')
  if (status === 200) {
    if (type !== undefined)
      equal(line['stream_end'], 'broken', 'the access log reports the failure')
    return checkTail(stage, sample, good, received)
  }
  ok(status >= 400, `an error of the account is no ${status}`)
  checkErrorReply(stage, contentType, bytes)
}

/** An error that the observer has not read is a broken stream, or a defect of the dialect. */
const untyped: ReadonlySet<unknown> = new Set(['upstream_stream_broken', 'internal_error'])
