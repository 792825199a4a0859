import { defineDialect } from '../../../src/contract/dialect.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { outcomeOfOwn } from '../../../src/kit/upstream-error.ts'
import { openAiEndpoint } from '../shared/openai-endpoint.ts'
import { embeddingsCodec } from './codec.ts'
import { correctedEmbeddings, embeddingsOutcome, isEmbeddings } from './reply.ts'
import { type EmbeddingCall, understandEmbeddings } from './request.ts'
import { embeddingsSchema } from './schema.ts'

const path = '/v1/embeddings'

const create = defineOperation<EmbeddingCall>({
  id: 'embeddings.create',
  method: 'POST',
  paths: [path],
  auth: 'key',
  capability: 'embed',
  summary: 'Embed texts',
  schema: embeddingsSchema,
  understand: (_exchange, body) => understandEmbeddings(body),
  least: { body: { input: 'Hello' } },
  forward: {
    target: ({ request }) => ({ path, query: request.query }),
    observer() {
      throw new Error('Embeddings are no stream.')
    },
    outcome: outcomeOfOwn(isEmbeddings, embeddingsOutcome),
    modelPaths: { reply: ['model'], frame: ['model'] },
    corrected: correctedEmbeddings,
  },
})

/** Returns the plugin that serves `POST /v1/embeddings`. */
export function embeddings(): GatewayPlugin {
  const dialect = defineDialect({
    id: 'embeddings',
    title: 'Embeddings API',
    ...openAiEndpoint,
    operations: [create],
    converts: { embed: embeddingsCodec },
  })
  return definePlugin({ name: 'embeddings', dialects: [dialect] })
}
