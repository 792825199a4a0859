import { defineDialect } from '../../../src/contract/dialect.ts'
import type { Routed } from '../../../src/contract/exchange.ts'
import { type NativeForward, defineOperation } from '../../../src/contract/operation.ts'
import type { Outcome } from '../../../src/contract/outcome.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { errorIn, failedOutcome, hasAny, outcomeOfOwn } from '../../../src/kit/upstream-error.ts'
import { assertWholeList, embeddingUsage } from '../shared/embedding-inputs.ts'
import { googleEndpoint } from '../shared/google-endpoint.ts'
import { statusOfGoogleError } from '../shared/google-error.ts'
import { accountPath, modelOfPath, verbPaths } from '../shared/google-paths.ts'
import { embedContentCodec, tokensOf } from './codec.ts'
import { type ContentCall, batchModelEdits, understandBatch, understandOne } from './request.ts'
import { batchSchema, contentSchema } from './schema.ts'

const content = { parts: [{ text: 'Hello' }] }

/** How accounts get a request as it is. */
function forwardTo(verb: string): NativeForward<ContentCall> {
  return {
    target: (exchange: Routed) => ({
      path: accountPath(exchange, verb),
      query: exchange.request.query,
    }),
    observer() {
      throw new Error('Embeddings are no stream.')
    },
    outcome: outcomeOfOwn((body) => hasAny(body, ['embedding', 'embeddings']), outcomeOf),
    corrected({ embedding, embeddings = [embedding] }, { call }) {
      assertWholeList(embeddings, call.inputs)
      return undefined
    },
  }
}

function outcomeOf(json: unknown): Outcome {
  const error = errorIn(json)
  if (error) return failedOutcome(statusOfGoogleError(error), error)
  return { status: 'completed', fault: 'none', usage: embeddingUsage(tokensOf([json])) }
}

const one = defineOperation<ContentCall>({
  id: 'embed-content.create',
  method: 'POST',
  paths: verbPaths('embedContent'),
  auth: 'key',
  capability: 'embed',
  summary: 'Embed a content',
  schema: contentSchema,
  modelOf: modelOfPath,
  understand: understandOne,
  least: { body: { content } },
  forward: forwardTo('embedContent'),
})

const batch = defineOperation<ContentCall>({
  id: 'embed-content.batch',
  method: 'POST',
  paths: verbPaths('batchEmbedContents'),
  auth: 'key',
  capability: 'embed',
  summary: 'Embed several contents',
  schema: batchSchema,
  modelOf: modelOfPath,
  understand: understandBatch,
  least: { body: { requests: [{ content }] } },
  forward: { ...forwardTo('batchEmbedContents'), accountEdits: batchModelEdits },
})

/** Returns the plugin that serves `:embedContent` and `:batchEmbedContents`. */
export function embedContent(): GatewayPlugin {
  const dialect = defineDialect({
    id: 'embed-content',
    title: 'embeddings of the Gemini API',
    ...googleEndpoint,
    operations: [one, batch],
    converts: { embed: embedContentCodec },
  })
  return definePlugin({ name: 'embed-content', dialects: [dialect] })
}
