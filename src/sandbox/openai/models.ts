import type { JsonObject } from '../json.ts'
import { listedModels } from '../models.ts'
import type { Endpoint } from '../provider.ts'
import { openai } from './provider.ts'

/** `GET /v1/models` and `/v1/models/{id}`. Any id is a model, since every model name works. */
export const openaiModels: Endpoint[] = [
  {
    provider: openai,
    method: 'GET',
    path: /^\/v1\/models$/,
    hasBody: false,
    answer: () => ({ json: { object: 'list', data: listedModels.map(modelOf) } }),
  },
  {
    provider: openai,
    method: 'GET',
    path: /^\/v1\/models\/(?<id>.+)$/,
    hasBody: false,
    answer: ({ params }) => ({ json: modelOf(params['id'] ?? '') }),
  },
]

function modelOf(id: string): JsonObject {
  return { id, object: 'model', created: 1_767_225_600, owned_by: 'sandbox' }
}
