import { bearer, firstCredential, xApiKey, xGoogApiKey } from '../../../src/kit/credential.ts'
import { fillPath } from '../../../src/kit/account-path.ts'
import { openAiRefusals } from '../shared/openai-refusals.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
import { defineOperation } from '../../../src/contract/operation.ts'
import { GatewayError } from '../../../src/contract/errors.ts'
import { type GatewayPlugin, definePlugin } from '../../../src/contract/plugin.ts'
import { openAiHeaders } from '../shared/openai-headers.ts'
import { responsesCodec } from './codec/index.ts'
import { conversations } from './conversations.ts'
import { responsesCounting } from './count.ts'
import { compact, countInputTokens, createResponse } from './create.ts'
import { responsesError } from './errors.ts'
import { responsesFiles } from './files.ts'
import { responsesTranscripts } from './transcripts/transcript-store.ts'
import { storedOutcome } from './outcome.ts'
import { storedResponses } from './stored.ts'

/** Codex first tries a WebSocket here and falls back to POST on this error. */
const refuseWebSocket = defineOperation({
  id: 'responses.websocket',
  method: 'GET',
  paths: ['/v1/responses'],
  auth: 'none',
  hidden: true,
  summary: 'Not served: responses are created with POST',
  serve({ request }) {
    if (/\bwebsocket\b/i.test(request.headers.upgrade ?? '')) {
      throw new GatewayError('upgrade_required', 'WebSockets are not supported; use POST.', {
        headers: { connection: 'close' },
      })
    }
    throw new GatewayError('method_not_allowed', 'This path does not allow GET: use POST.', {
      headers: { allow: 'POST' },
    })
  },
})

/** Query parameters of look-ups and lists (docs/wire/openai.md). */
const responsesQuery = [
  'beta',
  'include',
  'include_obfuscation',
  'stream',
  'starting_after',
  'after',
  'before',
  'limit',
  'order',
]

/** The OpenAI Responses API as a dialect. */
export const responsesDialect = defineDialect({
  id: 'responses',
  title: 'Responses API',
  credential: (request) => firstCredential(request, [bearer, xApiKey, xGoogApiKey]),
  error: responsesError,
  upstream: {
    base: 'versioned',
    providers: {
      openai: { baseUrl: 'https://api.openai.com/v1' },
      sandbox: { base: 'bare' },
    },
    forward: { headers: openAiHeaders, query: responsesQuery },
    headers: ({ credential }) => (credential ? { authorization: `Bearer ${credential}` } : {}),
    ...openAiRefusals,
  },
  operations: [
    createResponse,
    countInputTokens,
    compact,
    ...storedResponses,
    ...conversations,
    refuseWebSocket,
  ],
  files: responsesFiles,
  background: {
    lookUp: (id) => ({ method: 'GET', path: fillPath('/v1/responses/{id}', { id }) }),
    endOf: (reply) => storedOutcome(reply).ended,
  },
  generate: {
    codec: responsesCodec,
    produces: 'response',
    transcripts: responsesTranscripts,
    counting: responsesCounting,
  },
})

/** Returns the plugin that serves `/v1/responses`, stored responses and `/v1/conversations`. */
export function responses(): GatewayPlugin {
  return definePlugin({ name: 'responses', dialects: [responsesDialect] })
}
