import type { Dialect } from '../../../src/contract/dialect.ts'
import { bearer, firstCredential, xApiKey, xGoogApiKey } from '../../../src/kit/credential.ts'
import { errorEnvelope } from '../../../src/kit/error-envelope.ts'
import { openAiHeaders } from './openai-headers.ts'
import { openAiRefusals } from './openai-refusals.ts'

/**
 * The dialects of OpenAI's endpoints beside text: `provider: 'openai'` speaks them, and any other account whose
 * `speaks` names them.
 */
export const openAiEndpoint = {
  credential: (request) => firstCredential(request, [bearer, xApiKey, xGoogApiKey]),
  error: errorEnvelope,
  upstream: {
    base: 'versioned',
    providers: {
      openai: { baseUrl: 'https://api.openai.com/v1' },
      'openai-compatible': { onlyIfNamed: true },
      sandbox: { base: 'bare' },
    },
    forward: { headers: openAiHeaders },
    headers: ({ credential }) => (credential ? { authorization: `Bearer ${credential}` } : {}),
    ...openAiRefusals,
  },
} satisfies Pick<Dialect, 'credential' | 'error' | 'upstream'>
