import { openAiHeaders } from '../shared/openai-headers.ts'
import { bearer, firstCredential, xApiKey, xGoogApiKey } from '../../../src/kit/credential.ts'
import { openAiRefusals } from '../shared/openai-refusals.ts'
import { usageEdits } from '../../../src/kit/usage.ts'
import { jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { outcomeOfOwn } from '../../../src/kit/upstream-error.ts'
import { isChatBody } from './codec/decode-reply/failure.ts'
import { chatCodec } from './codec/index.ts'
import { chatFiles } from './files.ts'
import { outputLimitEdits } from './edits.ts'
import { ChatObserver } from './observer.ts'
import { chatAnswerOutcome, explainsEnd } from './outcome.ts'
import { messageOfServers } from './refusals.ts'
import { understandChat } from './request.ts'
import { chatSchemas } from './schema.ts'

const hello = { role: 'user', content: 'Hello' }

function spokenBefore(id: string) {
  return { messages: [hello, { role: 'assistant', audio: { id } }, hello] }
}

const create = defineOperation({
  id: 'chat.create',
  method: 'POST',
  paths: ['/v1/chat/completions'],
  auth: 'key',
  capability: 'generate',
  summary: 'Create a chat completion, streamed with `stream: true`',
  schema: chatSchemas,
  replies: jsonOrEvents,
  understand: ({ request }, body) => understandChat(request, body),
  least: { body: { messages: [hello] }, names: { audio: spokenBefore } },
  forward: {
    target: ({ request }) => ({ path: '/v1/chat/completions', query: request.query }),
    accountEdits: (exchange) => [...outputLimitEdits(exchange), ...usageEdits(exchange)],
    observer: (exchange) => new ChatObserver(exchange),
    outcome: outcomeOfOwn(isChatBody, chatAnswerOutcome),
    modelPaths: { reply: ['model'], frame: ['model'] },
    reportsFailure: explainsEnd,
  },
})

/** The dialect of the Chat Completions API (docs/wire/openai.md). */
export const chatDialect = defineDialect({
  id: 'chat',
  title: 'Chat Completions API',
  credential: (request) => firstCredential(request, [bearer, xApiKey, xGoogApiKey]),
  error: errorEnvelope,
  upstream: {
    base: 'versioned',
    providers: {
      openai: { baseUrl: 'https://api.openai.com/v1' },
      'openai-compatible': {
        outputLimitField: 'max_tokens',
        lacks: [
          'cache_key',
          'safety_identifier',
          'service_tier',
          'store',
          'strict_tools',
          'system_midway',
        ],
      },
      sandbox: { base: 'bare' },
    },
    forward: { headers: openAiHeaders },
    headers: ({ credential }) => (credential ? { authorization: `Bearer ${credential}` } : {}),
    ...openAiRefusals,
    messageOf: messageOfServers,
  },
  operations: [create],
  files: chatFiles,
  generate: { codec: chatCodec, produces: 'chat.completion' },
})

/** Returns the plugin that serves `POST /v1/chat/completions`. */
export function chat(): GatewayPlugin {
  return definePlugin({ name: 'chat', dialects: [chatDialect] })
}
