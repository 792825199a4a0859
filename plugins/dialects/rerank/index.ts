import type { RequestBody } from '../../../src/contract/body.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import {
  checkArray,
  checkBoolean,
  checkInteger,
  requireField,
  requireString,
  wrong,
} from '../../../src/kit/checks.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import { outcomeOfOwn } from '../../../src/kit/upstream-error.ts'
import { isObject } from '../../../src/lib/json/object.ts'
import { openAiEndpoint } from '../shared/openai-endpoint.ts'
import { type RankCall, correctedRanks, isRanks, ranksOutcome } from './reply.ts'
import { rerankSchema } from './schema.ts'

const path = '/v1/rerank'

/** Checks a request and returns its call. Throws `GatewayError` with `param`. */
function understand({ json, members }: RequestBody): RankCall {
  const model = requireString(json, 'model')
  requireString(json, 'query')
  requireField(json, 'documents')
  checkArray(json, 'documents', 1)
  const documents = json.documents as unknown[]
  for (const [index, one] of documents.entries())
    if (typeof one !== 'string' && !isObject(one))
      throw wrong(`documents[${index}]`, 'a string or an object')
  for (const name of ['top_n', 'top_k', 'max_tokens_per_doc']) checkInteger(json, name, 1)
  checkBoolean(json, 'return_documents')
  const modelAt = members.get('model')
  const count = documents.length
  return {
    model,
    modelAt,
    stream: false,
    refersTo: [],
    edits: [],
    losses: [],
    documents: count,
  }
}

const create = defineOperation<RankCall>({
  id: 'rerank.create',
  method: 'POST',
  paths: [path, '/v2/rerank', '/rerank'],
  auth: 'key',
  capability: 'rerank',
  summary: 'Order documents by their relevance to a query',
  schema: rerankSchema,
  understand: (_exchange, body) => understand(body),
  least: { body: { query: 'Hello', documents: ['Hello'] } },
  forward: {
    // The base URL of an account has the version of its API.
    target: ({ request }) => ({ path, query: request.query }),
    observer() {
      throw new Error('Ranks are no stream.')
    },
    outcome: outcomeOfOwn(isRanks, ranksOutcome),
    modelPaths: { reply: ['model'], frame: ['model'] },
    corrected: correctedRanks,
  },
})

/** Returns the plugin that serves `POST /v1/rerank`, `/v2/rerank` and `/rerank`. */
export function rerank(): GatewayPlugin {
  const dialect = defineDialect({
    id: 'rerank',
    title: 'Rerank API',
    ...openAiEndpoint,
    // SDKs of Cohere read the message at the top.
    error(error, context) {
      const { body, ...reply } = errorEnvelope(error, context)
      return { ...reply, body: { message: error.message, ...(body as object) } }
    },
    upstream: {
      ...openAiEndpoint.upstream,
      providers: { 'openai-compatible': { onlyIfNamed: true }, sandbox: { base: 'bare' } },
    },
    operations: [create],
  })
  return definePlugin({ name: 'rerank', dialects: [dialect] })
}
