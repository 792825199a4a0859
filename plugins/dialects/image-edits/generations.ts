import { defineOperation } from '../../../src/dialect.ts'
import { modelInserted } from '../../../src/model-inserted.ts'
import { approachImages, outboundOf, ownForward } from './ask.ts'
import { checkGeneration } from './check-values.ts'
import type { ImageParts } from './parts.ts'
import { generationSchema } from './schema.ts'
import { imageCall } from './understood.ts'

const path = '/v1/images/generations'

/** `POST /v1/images/generations`. */
export function generateImages({ chooseModel, now }: ImageParts) {
  return defineOperation({
    id: 'images.generate',
    method: 'POST',
    paths: [path],
    auth: 'key',
    capability: 'generate-image',
    summary: 'Generate images, streamed with `stream: true`',
    schema: generationSchema,
    understand(exchange, body) {
      const model = chooseModel(exchange, body.json)
      checkGeneration(body.json, model)
      return imageCall(body, body.json, model)
    },
    forward: ownForward(async (exchange) => {
      const { body, call, candidate } = exchange
      const edits = call.modelAt ? [] : [modelInserted(body, candidate.upstreamModel)]
      return approachImages(exchange, outboundOf(exchange, path, edits), {
        values: body.json,
        events: 'image_generation',
        now,
      })
    }),
  })
}
