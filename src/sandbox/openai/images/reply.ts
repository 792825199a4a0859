import { publishImage } from '../../image-files.ts'
import { nowInSeconds } from '../../ids.ts'
import type { JsonObject } from '../../json.ts'
import { Problem } from '../../problem.ts'
import type { Call, Reply } from '../../provider.ts'
import { directedProblem } from '../../steering/failures.ts'
import type { Frame } from '../../wire/frame.ts'
import { renderOpenAiError } from '../provider.ts'
import { type ImageJob, drawImages, imageUsage } from './image-job.ts'
import type { ImageModelKind } from './models.ts'

/** The prefix of the event names in a stream. */
type ImageOperation = 'image_edit' | 'image_generation'

/** Renders the reply to a checked request for images. */
export function renderImagesReply(
  call: Call,
  kind: ImageModelKind,
  job: ImageJob,
  operation: ImageOperation,
): Reply {
  if (call.directives.refuse) throw refusal(kind)
  if (kind !== 'gpt-image') return { json: renderLegacy(call, kind, job) }
  const usage = call.directives.nousage ? {} : { usage: imageUsage(job) }
  const images = drawImages(job).map((image) => image.toString('base64'))
  const json = {
    created: nowInSeconds(),
    background: job.background,
    data: images.map((b64_json) => ({ b64_json })),
    output_format: job.format,
    quality: job.quality,
    size: job.size,
    ...usage,
  }
  if (call.body['stream'] !== true) return { json }

  const frames = [
    ...Array.from({ length: job.partialImages }, (_, index) =>
      eventOf(job, operation, 'partial_image', {
        partial_image_index: index,
        b64_json: drawImages(job, index)[0]!.toString('base64'),
      }),
    ),
    ...images.map((b64_json) => eventOf(job, operation, 'completed', { b64_json, ...usage })),
  ]
  const error = renderOpenAiError(directedProblem(call.directives, 500))
  const failure = [{ name: 'error', data: { type: 'error', error } }]
  return { json, stream: { frames, failure, framing: 'sse' } }
}

function eventOf(
  { size, quality, background, format }: ImageJob,
  operation: ImageOperation,
  event: 'partial_image' | 'completed',
  members: JsonObject,
): Frame {
  const type = `${operation}.${event}`
  const heading = { size, quality, background, output_format: format }
  return { name: type, data: { type, created_at: nowInSeconds(), ...heading, ...members } }
}

// Old models reply with addresses unless the request demands base64, and report no usage.
function renderLegacy(call: Call, kind: ImageModelKind, job: ImageJob): JsonObject {
  const { account, body, origin } = call
  const revised = kind === 'dall-e-3' ? { revised_prompt: job.prompt } : {}
  const data = drawImages(job).map((image) =>
    body['response_format'] === 'b64_json'
      ? { b64_json: image.toString('base64'), ...revised }
      : { url: origin + publishImage(account, image, 'image/png'), ...revised },
  )
  return { created: nowInSeconds(), data }
}

function refusal(kind: ImageModelKind): Problem {
  const message = 'Your request was rejected as a result of our safety system.'
  return kind === 'gpt-image'
    ? new Problem(400, message, {
        type: 'image_generation_user_error',
        code: 'moderation_blocked',
      })
    : new Problem(400, message, { code: 'content_policy_violation' })
}
