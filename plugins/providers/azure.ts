import { z } from 'zod'

import { optionsOf } from '../../src/contract/account.ts'
import type { AdaptedAccount, AdaptedRequest, Adaptation } from '../../src/contract/adaptation.ts'
import type { AccountCredential } from '../../src/contract/credential.ts'
import type { Provider } from '../../src/contract/provider.ts'
import { fillPath } from '../../src/kit/account-path.ts'
import { entraCredential } from './entra.ts'

const options = z.strictObject({ apiVersion: z.string().optional() })

/** The requests whose paths name a deployment where the API is a dated one. All others name it in the body alone. */
const ofDeployments: ReadonlySet<string> = new Set([
  '/audio/speech',
  '/audio/transcriptions',
  '/audio/translations',
  '/chat/completions',
  '/completions',
  '/embeddings',
  '/images/edits',
  '/images/generations',
])

/** The root has the version of the `v1` API; a dated API has it in the query, and deployments in the path. */
function target(
  { path, query, model }: AdaptedRequest,
  account: AdaptedAccount,
): { path: string; query?: string | undefined } {
  const { apiVersion } = optionsOf(account, options)
  const own = path.replace(/^\/v1(?=\/)/, '')
  if (apiVersion === undefined) return { path: own, query }
  const deployment = ofDeployments.has(own) && model !== ''
  const version = new URLSearchParams({ 'api-version': apiVersion }).toString()
  return {
    path: deployment ? fillPath('/deployments/{model}', { model }) + own : own,
    query: query ? `${query}&${version}` : version,
  }
}

const adapt: Adaptation = { target }

/** Claude at Foundry, which has no list of models. */
const ofClaude: Adaptation = {
  target: ({ path, query }) => (path.startsWith('/v1/messages') ? { path, query } : undefined),
}

/** The key, in the header that each of the two APIs has for it. */
function keyCredential(key: string): AccountCredential {
  return {
    headers: ['api-key', 'x-api-key'],
    authorize(outbound) {
      const name = outbound.path.includes('/anthropic/v1/messages') ? 'x-api-key' : 'api-key'
      return { ...outbound, headers: { ...outbound.headers, [name]: key } }
    },
  }
}

/** Azure OpenAI and Microsoft Foundry: one resource, whose models are deployments. */
export const azure: Provider = {
  keepsPath: true,
  baseUrl: ({ apiVersion }) => (apiVersion === undefined ? '/openai/v1' : '/openai'),
  options,
  listsModels: false,
  settings: ['apiVersion'],
  credentials: ['entra'],
  credential({ apiKey, entra }) {
    if (entra) return entraCredential(entra)
    return apiKey === undefined ? undefined : keyCredential(apiKey)
  },
  dialects: {
    responses: { adapt },
    chat: { adapt },
    completions: { adapt },
    embeddings: { adapt },
    images: { adapt },
    audio: { adapt },
    videos: { adapt },
    realtime: { adapt },
    messages: { baseUrl: '/anthropic', onlyIfNamed: true, adapt: ofClaude },
  },
}
