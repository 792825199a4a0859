import type { Dialect } from '../../../src/contract/dialect.ts'
import {
  bearer,
  firstCredential,
  queryKey,
  xApiKey,
  xGoogApiKey,
} from '../../../src/kit/credential.ts'
import { googleErrorFormat } from './google-error.ts'
import { googleHeaders } from './google-headers.ts'
import { googleRefusals } from './google-refusals.ts'

/** The dialects of the Gemini API's endpoints beside text: accounts of `provider: 'gemini'` speak them. */
export const googleEndpoint = {
  credential: (request) => firstCredential(request, [xGoogApiKey, queryKey, xApiKey, bearer]),
  credentialAs: ['x-goog-api-key: KEY', '?key=KEY'],
  error: googleErrorFormat,
  upstream: {
    base: 'bare',
    providers: {
      gemini: { baseUrl: 'https://generativelanguage.googleapis.com' },
      sandbox: {},
    },
    forward: { headers: googleHeaders },
    headers: ({ credential }) => (credential ? { 'x-goog-api-key': credential } : {}),
    ...googleRefusals,
  },
} satisfies Pick<Dialect, 'credential' | 'credentialAs' | 'error' | 'upstream'>
