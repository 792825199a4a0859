import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../json.ts'
import { listedModels } from '../models.ts'
import type { Call, Endpoint, Reply } from '../provider.ts'
import { anthropic } from './provider.ts'
import { readVersion } from './version.ts'

/** `GET /v1/models` and `/v1/models/{id}`, for requests with the header `anthropic-version`. */
export const anthropicModels: Endpoint[] = [
  {
    provider: anthropic,
    method: 'GET',
    path: /^\/v1\/models$/,
    applies: namesVersion,
    hasBody: false,
    answer: listModels,
  },
  {
    provider: anthropic,
    method: 'GET',
    path: /^\/v1\/models\/(?<id>.+)$/,
    applies: namesVersion,
    hasBody: false,
    answer: ({ params }) => ({ json: modelOf(params['id'] ?? '') }),
  },
]

function namesVersion(headers: IncomingHttpHeaders): boolean {
  return headers['anthropic-version'] !== undefined
}

function listModels({ headers, query }: Call): Reply {
  readVersion(headers, query)
  const data = listedModels.map(modelOf)
  const [first_id, last_id] = [listedModels[0], listedModels.at(-1)]
  return { json: { data, has_more: false, first_id, last_id } }
}

function modelOf(id: string): JsonObject {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: '2026-01-01T00:00:00Z',
    lifecycle: 'active',
    max_input_tokens: 200_000,
    max_tokens: 64_000,
    capabilities: null,
    deprecated_at: null,
    retires_at: null,
    line: null,
  }
}
