import type { AccountConverter } from '../../../src/contract/conversion.ts'
import type { Usage } from '../../../src/contract/outcome.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'
import { objectAt, objectsIn, stringAt } from '../../../src/lib/json/read.ts'
import type { Drawing, DrawingRequest } from '../../../src/media/drawing.ts'
import { accountModelPath } from '../shared/google-paths.ts'
import { readUsage } from './outcome.ts'

/** The ratios of sides that Gemini's image models have. */
const ratios = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9']

/** Draws images with Gemini's image models, one a request. */
export const generateDrawing: AccountConverter<DrawingRequest, Drawing> = {
  encode({ prompt, count, size }, model, drop) {
    const aspectRatio = size === undefined ? undefined : nearestRatio(size)
    if (size !== undefined)
      drop('size', `the nearest ratio of its sides, ${aspectRatio}, is sent instead`)
    const json = {
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        ...(aspectRatio !== undefined && { imageConfig: { aspectRatio } }),
      },
    }
    const call = { method: 'POST', path: accountModelPath(model, 'generateContent'), json } as const
    return Array.from({ length: count }, () => call)
  },
  decode(replies) {
    const images = replies.map(imageIn)
    return {
      result: { images },
      model: stringAt(replies[0], 'modelVersion'),
      usage: usageOf(replies),
    }
  },
}

function nearestRatio(size: string): string {
  const wanted = quotient(size.split('x'))
  return ratios.reduce((nearest, one) =>
    distance(one, wanted) < distance(nearest, wanted) ? one : nearest,
  )
}

function quotient([width, height]: readonly string[]): number {
  return Number(width) / Number(height)
}

function distance(ratio: string, wanted: number): number {
  return Math.abs(Math.log(quotient(ratio.split(':')) / wanted))
}

function imageIn(reply: JsonObject): Drawing['images'][number] {
  const [candidate] = objectsIn(reply.candidates)
  const data = objectsIn(objectAt(candidate, 'content')?.parts)
    .map((part) => objectAt(part, 'inlineData') ?? objectAt(part, 'inline_data'))
    .find((one) => stringAt(one, 'data'))
  const base64 = stringAt(data, 'data')
  if (base64 !== undefined) {
    const mediaType = stringAt(data, 'mimeType') ?? stringAt(data, 'mime_type') ?? 'image/png'
    return { base64, mediaType }
  }
  // A blocked prompt and an image that a filter has taken are the request's, and no fault of the account.
  const reason =
    stringAt(objectAt(reply, 'promptFeedback'), 'blockReason') ??
    stringAt(candidate, 'finishReason')
  const because = reason === undefined ? '' : ` (${reason.slice(0, 64)})`
  throw new GatewayError('upstream_rejected', `The model has drawn no image${because}.`, {
    status: 400,
    upstreamCode: 'moderation_blocked',
  })
}

/** The sum of all requests; `undefined` if one of them reports none. */
function usageOf(replies: readonly JsonObject[]): Usage | undefined {
  let sum = { inputTokens: 0, outputTokens: 0, imageOutputTokens: 0 }
  for (const reply of replies) {
    const { inputTokens, outputTokens, imageOutputTokens } = readUsage(reply) ?? {}
    if (inputTokens === undefined || outputTokens === undefined) return { images: replies.length }
    sum = {
      inputTokens: sum.inputTokens + inputTokens,
      outputTokens: sum.outputTokens + outputTokens,
      imageOutputTokens: sum.imageOutputTokens + (imageOutputTokens ?? 0),
    }
  }
  return { ...sum, images: replies.length }
}
