import type { GenerateCodec } from '../../../src/contract/codec.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import { jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { outcomeOfOwn } from '../../../src/kit/upstream-error.ts'
import { usageEdits } from '../../../src/kit/usage.ts'
import { openAiEndpoint } from '../shared/openai-endpoint.ts'
import { decodeRequest } from './decode-request.ts'
import { CompletionEncoder, encodeResult } from './encode-reply.ts'
import { encodeRequest } from './encode-request.ts'
import { CompletionsObserver } from './observer.ts'
import { completionOutcome, decodeEvents, decodeResult, isCompletion } from './read-reply.ts'
import { understandCompletion } from './request.ts'
import { completionsSchema } from './schema.ts'

const path = '/v1/completions'

const codec: GenerateCodec = {
  supports: [
    'empty_message',
    'end_user',
    'frequency_penalty',
    'presence_penalty',
    'seed',
    'stop',
    'temperature_above_1',
  ],
  forgetsSignatures: true,
  decodeRequest,
  encodeRequest,
  decodeResult: (reply) => decodeResult(reply),
  decodeEvents: (_request, emit) => decodeEvents(emit),
  encodeResult,
  encodeEvents: (context, sink) => new CompletionEncoder(context, sink),
}

const create = defineOperation({
  id: 'completions.create',
  method: 'POST',
  paths: [path],
  auth: 'key',
  capability: 'generate',
  summary: 'Complete a prompt, streamed with `stream: true`',
  schema: completionsSchema,
  replies: jsonOrEvents,
  understand: (_exchange, body) => understandCompletion(body),
  least: { body: { prompt: 'Hello' } },
  forward: {
    target: ({ request }) => ({ path, query: request.query }),
    accountEdits: usageEdits,
    observer: (exchange) => new CompletionsObserver(exchange),
    outcome: outcomeOfOwn(isCompletion, completionOutcome),
    modelPaths: { reply: ['model'], frame: ['model'] },
  },
})

/** Models that OpenAI serves at this endpoint; its others are chat models, which answer a prompt as a message. */
const ofOpenAi = /(?:instruct|^(?:ft:)?(?:babbage|davinci)-002)/

/** Returns the plugin that serves `POST /v1/completions`. */
export function completions(): GatewayPlugin {
  const { providers, ...upstream } = openAiEndpoint.upstream
  const openai = { ...providers.openai, serves: (model: string) => ofOpenAi.test(model) }
  const dialect = defineDialect({
    id: 'completions',
    title: 'Completions API',
    ...openAiEndpoint,
    upstream: { ...upstream, providers: { ...providers, openai } },
    operations: [create],
    generate: { codec, produces: 'completion', clientsOnly: true },
  })
  return definePlugin({ name: 'completions', dialects: [dialect] })
}
