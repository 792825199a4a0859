import { bearer, firstCredential, xApiKey, xGoogApiKey } from '../../../src/kit/credential.ts'
import { fillPath } from '../../../src/kit/account-path.ts'
import { openAiRefusals } from '../shared/openai-refusals.ts'
import { defineDialect } from '../../../src/contract/dialect.ts'
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
import { connectResponses } from './socket/index.ts'
import { storedResponses } from './stored.ts'

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
    connectResponses,
  ],
  files: responsesFiles,
  background: {
    lookUp: (id) => ({ method: 'GET', path: fillPath('/v1/responses/{id}', { id }) }),
    cancel: (id) => ({ method: 'POST', path: fillPath('/v1/responses/{id}/cancel', { id }) }),
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
