import { jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { removeField, insertModel } from '../../../src/body/edits.ts'
import { planImageAttempt, imageRequestOf } from './plan.ts'
import { checkGeneration } from './check-values.ts'
import { generationReplyField, imageCall, omittedFields } from './call.ts'
import type { ImageDependencies } from './parts.ts'
import { generationSchema } from './schema.ts'

const path = '/v1/images/generations'

/** Defines `POST /v1/images/generations`. */
export function generateImages(parts: ImageDependencies) {
  const { models } = parts
  return defineOperation({
    id: 'images.generate',
    method: 'POST',
    paths: [path],
    auth: 'key',
    capability: 'generate-image',
    summary: 'Generate images, streamed with `stream: true`',
    schema: generationSchema,
    replies: jsonOrEvents,
    understand(exchange, body) {
      const model = models.choose(exchange, body.json)
      checkGeneration(body.json, model)
      return imageCall(body, body.json, model)
    },
    least: { body: { prompt: 'Hello' } },
    forward: {
      billed: 'reply',
      async plan(exchange, services) {
        const { body, call, candidate } = exchange
        const { upstreamModel } = candidate
        const model = models.choose(exchange, body.json)
        const omitted = omittedFields(model, models.isLegacy(upstreamModel))
        const edits = [
          ...(call.modelAt ? [] : [insertModel(body, upstreamModel)]),
          ...omitted.flatMap((name) => removeField(body, name)),
        ]
        return planImageAttempt(exchange, imageRequestOf(exchange, path, edits), {
          ...parts,
          services,
          values: body.json,
          kind: model.kind,
          replyField: generationReplyField(body.json, model),
          events: 'image_generation',
        })
      },
    },
  })
}
