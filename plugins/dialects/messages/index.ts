import { bearer, firstCredential, xApiKey, xGoogApiKey } from '../../../src/kit/credential.ts'
import { type RateHeaders, jsonOrEvents } from '../../../src/contract/dialect-info.ts'
import { type Dialect, defineDialect } from '../../../src/contract/dialect.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { isCount } from '../../../src/kit/counting.ts'
import { outcomeOfOwn } from '../../../src/kit/upstream-error.ts'
import { isMessage } from './codec/decode-reply/failure.ts'
import { messagesCodec } from './codec/index.ts'
import { messagesCounting } from './count.ts'
import { messagesError, statusOfMessagesError } from './errors.ts'
import { messagesFiles } from './files.ts'
import { MessagesObserver } from './observer.ts'
import { countOutcome, explainsRefusal, messageAnswerOutcome } from './outcome.ts'
import { retryInfoOf } from '../shared/google-refusals.ts'
import { freeCall, modelList, subjectOfRefusal } from './refusals.ts'
import { understandCount, understandMessages } from './request.ts'
import { countSchemas, messagesSchemas } from './schema.ts'
import { clientVersion, requireVersion, samplingVersion, upstreamVersion } from './version.ts'

const least = {
  body: { messages: [{ role: 'user', content: 'Hello' }] },
  headers: { 'anthropic-version': samplingVersion },
}

const create = defineOperation({
  id: 'messages.create',
  method: 'POST',
  paths: ['/v1/messages'],
  auth: 'key',
  capability: 'generate',
  summary: 'Create a message, streamed with `stream: true`',
  schema: messagesSchemas,
  replies: jsonOrEvents,
  understand(exchange, body) {
    requireVersion(exchange.request)
    return understandMessages(exchange, body)
  },
  least: {
    ...least,
    body: { ...least.body, max_tokens: 16 },
    names: {
      container: (id) => ({ container: id }),
      file: (id) => ({
        messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: id }] }],
      }),
      message: (id) => ({ thread: { type: 'continue', previous_message_id: id } }),
    },
  },
  forward: {
    target: (exchange) => ({
      path: '/v1/messages',
      query: exchange.request.query,
      headers: { 'anthropic-version': upstreamVersion(exchange) },
    }),
    observer: (exchange) => new MessagesObserver(exchange),
    outcome: outcomeOfOwn(isMessage, messageAnswerOutcome),
    modelPaths: { reply: ['model'], frame: ['message', 'model'] },
    reportsFailure: explainsRefusal,
  },
})

const countTokens = defineOperation({
  id: 'messages.count_tokens',
  method: 'POST',
  paths: ['/v1/messages/count_tokens'],
  auth: 'key',
  capability: 'count-tokens',
  summary: 'Count the input tokens of a message',
  schema: countSchemas,
  understand(exchange, body) {
    requireVersion(exchange.request)
    return understandCount(body)
  },
  least,
  forward: {
    target: ({ request }) => ({
      path: '/v1/messages/count_tokens',
      query: request.query,
      headers: { 'anthropic-version': clientVersion(request) ?? samplingVersion },
    }),
    observer: (exchange) => new MessagesObserver(exchange),
    outcome: outcomeOfOwn(isCount('input_tokens'), countOutcome),
  },
})

/** As Anthropic's API names them, with times in RFC 3339. */
const rateHeaders: RateHeaders = (kind, { limit, remaining, resetsAt }) => ({
  [`anthropic-ratelimit-${kind}-limit`]: String(limit),
  [`anthropic-ratelimit-${kind}-remaining`]: String(remaining),
  [`anthropic-ratelimit-${kind}-reset`]: new Date(resetsAt).toISOString(),
})

/** Returns the dialect of the Messages API (docs/wire/anthropic.md). */
export function messagesDialect(): Dialect {
  return defineDialect({
    id: 'messages',
    title: 'Messages API',
    credential: (request) => firstCredential(request, [xApiKey, bearer, xGoogApiKey]),
    credentialAs: ['x-api-key: KEY', 'Authorization: Bearer KEY'],
    claims: (request) => clientVersion(request) !== undefined,
    requestIdHeader: 'request-id',
    rateHeaders,
    error: messagesError,
    upstream: {
      base: 'bare',
      providers: {
        anthropic: { baseUrl: 'https://api.anthropic.com' },
        sandbox: {},
      },
      forward: { headers: ['anthropic-*', 'x-app', 'x-claude-code-*'], query: ['beta'] },
      headers: ({ credential }) => ({
        'anthropic-version': samplingVersion,
        ...(credential && { 'x-api-key': credential }),
      }),
      subjectOf: subjectOfRefusal,
      retryAfterOf: retryInfoOf,
      statusOf: statusOfMessagesError,
      freeCall,
      modelList,
    },
    operations: [create, countTokens],
    files: messagesFiles,
    generate: { codec: messagesCodec, produces: 'message', counting: messagesCounting },
  })
}

/** Returns the plugin that serves `POST /v1/messages` and `POST /v1/messages/count_tokens`. */
export function messages(): GatewayPlugin {
  return definePlugin({ name: 'messages', dialects: [messagesDialect()] })
}
