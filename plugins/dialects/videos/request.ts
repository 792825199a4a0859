import type { RequestBody } from '../../../src/contract/body.ts'
import { wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated } from '../../../src/contract/exchange.ts'
import { orderJob } from '../../../src/jobs/job.ts'
import type { VideoRequest } from '../../../src/media/video.ts'
import { type VideoFields, videoFieldsOf } from './fields.ts'
import { referenceField } from './reference.ts'

/** OpenAI's default video model. */
const defaultModel = 'sora-2'

const known = new Set(['model', 'prompt', 'seconds', 'size', referenceField])

/** Returns the call of `POST /v1/videos`. Throws `GatewayError` 400. */
export function understandCreate(exchange: Authenticated, body: RequestBody): Call {
  const fields = videoFieldsOf(body)
  readVideoRequest(fields)
  const model = modelIn(fields)
  if (model !== undefined) return { ...orderJob, model, modelAt: fields.modelAt }
  if (!exchange.snapshot.resolve(defaultModel)) {
    throw new GatewayError('missing_required_parameter', '`model` is required.', { param: 'model' })
  }
  return { ...orderJob, model: defaultModel }
}

/** Returns the requested model, if any. Throws `GatewayError` 400 if it is blank. */
export function modelIn(fields: VideoFields): string | undefined {
  const model = fields.text('model')
  if (model === undefined && !fields.modelAt) return undefined
  if (model === undefined || model.trim() === '') throw wrong('model', 'a non-empty string')
  return model
}

/** Decodes the request. Throws `GatewayError` 400 if it violates docs/wire/contract.md. */
export function readVideoRequest(fields: VideoFields): VideoRequest {
  const seconds = fields.text('seconds')
  const size = fields.text('size')
  if (seconds !== undefined && !/^[1-9]\d{0,3}$/.test(seconds)) {
    throw wrong('seconds', 'a whole number above 0')
  }
  if (size !== undefined && !/^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(size))
    throw wrong('size', 'WIDTHxHEIGHT')
  return {
    prompt: promptIn(fields),
    ...(seconds !== undefined && { seconds: Number(seconds) }),
    ...(size !== undefined && { frame: { size } }),
    ...(fields.reference && { reference: fields.reference }),
    further: fields.others(known),
  }
}

/** Returns the prompt. Throws `GatewayError` 400 if it is missing or blank. */
export function promptIn(fields: VideoFields): string {
  const prompt = fields.text('prompt')
  if (prompt !== undefined && prompt.trim() !== '') return prompt
  throw new GatewayError('missing_required_parameter', '`prompt` is required.', { param: 'prompt' })
}
