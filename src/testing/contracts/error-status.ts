import { equal } from 'node:assert/strict'

import type { AccountDialect } from '../../contract/dialect-info.ts'
import type { FramedEvent } from '../../contract/framing.ts'
import type { ErrorEvent } from '../../generate/events.ts'
import type { Emit } from '../../generate/mapper.ts'
import { MarkedErrors } from '../../translate/marked-errors.ts'
import { parseData } from '../../translate/read-events.ts'
import { requestWith } from './codec-requests.ts'
import { type DialectSample, bytesOf } from './dialect-sample.ts'
import type { DialectStage } from './dialect-stage.ts'
import { framedEvents } from './read-stream.ts'

/** Clients of other dialects get the status of an error event that the observer reads from it. */
export async function checkErrorStatus(
  stage: DialectStage,
  { frames, errorFrames }: DialectSample,
  form: number,
): Promise<void> {
  const bytes = bytesOf([...frames.slice(0, 1), ...errorFrames('wrong').slice(form, form + 1)])
  stage.streamWith([bytes])
  await stage.ask(true)
  const status = stage.outcome()?.httpStatus
  const error = translatedError(stage.spoken(), framedEvents(stage.framing(), bytes, false))
  if (status !== undefined && error) equal(error.status, status, 'the codec reads the same status')
}

function translatedError(dialect: AccountDialect, framed: FramedEvent[]): ErrorEvent | undefined {
  const { codec } = dialect.generate ?? {}
  if (!codec) return undefined
  let error: ErrorEvent | undefined
  const emit: Emit = (event) => {
    if (errors.lets(event) && event.type === 'error') error = event
  }
  const errors = new MarkedErrors(dialect, emit)
  const decoder = codec.decodeEvents(requestWith({}), emit)
  for (const { name, data, isError = false } of framed) {
    if (data !== undefined && data !== '[DONE]') {
      errors.decode(decoder, parseData(data), name, isError)
    }
  }
  return error
}
