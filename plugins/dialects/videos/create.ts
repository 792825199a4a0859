import { defineOperation } from '../../../src/contract/operation.ts'
import { type VideoCreation, planVideoCreation } from '../../../src/jobs/create-video.ts'
import { type Job, orderJob } from '../../../src/jobs/job.ts'
import { usualSeconds, usualSize } from '../../../src/media/video-frame.ts'
import { insertModel } from '../../../src/body/edits.ts'
import { type VideoFields, secondsEdits, videoFieldsOf } from './fields.ts'
import type { VideosDependencies } from './parts.ts'
import { referenceEdits, referenceField } from './reference.ts'
import { pollHeaders, showVideo, shownId } from './reply.ts'
import { createSchema } from './schema.ts'
import type { RequestBody } from '../../../src/contract/body.ts'
import { wrong } from '../../../src/kit/checks.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { Call } from '../../../src/contract/call.ts'
import type { Authenticated, Received } from '../../../src/contract/exchange.ts'
import type { VideoRequest } from '../../../src/media/video.ts'

/** Defines `POST /v1/videos`. */
export function createVideo(parts: VideosDependencies) {
  return defineOperation({
    id: 'videos.create',
    method: 'POST',
    paths: ['/v1/videos'],
    auth: 'key',
    body: 'form',
    capability: 'video',
    summary: 'Create a video job, which continues after the reply',
    schema: createSchema,
    understand: understandCreate,
    least: { body: { prompt: 'Hello' } },
    forward: {
      billed: 'job',
      async plan(exchange, services) {
        const { body, candidate } = exchange
        const fields = videoFieldsOf(body)
        const edits = [
          ...(fields.modelAt ? [] : [insertModel(body, candidate.upstreamModel)]),
          ...(candidate.native
            ? [
                ...secondsEdits(body),
                ...(await referenceEdits(exchange, fields.reference, parts.files)),
              ]
            : []),
        ]
        return planVideoCreation(exchange, services, {
          ...parts,
          request: readVideoRequest(fields),
          usual: { seconds: usualSeconds, size: usualSize },
          native: { path: '/v1/videos', edits },
          answer: createReply(exchange),
        })
      },
    },
  })
}

/** Returns a function that encodes a created job as the reply. */
export function createReply(
  exchange: Pick<Received, 'request' | 'errors'>,
): VideoCreation['answer'] {
  return (job: Job) => ({
    json: showVideo(job, exchange),
    headers: pollHeaders(job),
    id: shownId(job.id),
  })
}

/** OpenAI's default video model. */
const defaultModel = 'sora-2'

const known = new Set(['model', 'prompt', 'seconds', 'size', referenceField])

/** Returns the call of `POST /v1/videos`. Throws `GatewayError` 400. */
function understandCreate(exchange: Authenticated, body: RequestBody): Call {
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
function readVideoRequest(fields: VideoFields): VideoRequest {
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
