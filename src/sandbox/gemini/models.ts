import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../json.ts'
import { listedModels } from '../models.ts'
import type { Endpoint } from '../provider.ts'
import { gemini } from './provider.ts'

/** `GET /v1beta/models` and `/v1beta/models/{id}`; under `/v1` for requests with a Gemini key. */
export const geminiModels: Endpoint[] = [
  {
    provider: gemini,
    method: 'GET',
    path: /^\/v1(?:beta|alpha)\/models$/,
    hasBody: false,
    answer: listModels,
  },
  {
    provider: gemini,
    method: 'GET',
    path: /^\/v1(?:beta|alpha)\/models\/(?<id>[^/]+(?:\/[^/]+)?)$/,
    hasBody: false,
    answer: ({ params }) => ({ json: modelOf(params['id'] ?? '') }),
  },
  {
    provider: gemini,
    method: 'GET',
    path: /^\/v1\/models$/,
    applies: carriesKey,
    hasBody: false,
    answer: listModels,
  },
  {
    provider: gemini,
    method: 'GET',
    path: /^\/v1\/models\/(?<id>[^/]+(?:\/[^/]+)?)$/,
    applies: carriesKey,
    hasBody: false,
    answer: ({ params }) => ({ json: modelOf(params['id'] ?? '') }),
  },
]

function carriesKey(headers: IncomingHttpHeaders, query: URLSearchParams): boolean {
  return headers['x-goog-api-key'] !== undefined || query.has('key')
}

// Without nextPageToken: an empty one makes the official SDK request pages for ever.
function listModels() {
  return { json: { models: listedModels.map(modelOf) } }
}

function modelOf(id: string): JsonObject {
  return {
    name: `models/${id}`,
    displayName: id,
    version: '1',
    inputTokenLimit: 200_000,
    outputTokenLimit: 64_000,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }
}
