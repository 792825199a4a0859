import { z } from 'zod'

import { optionsOf } from '../../src/contract/account.ts'
import type { AdaptedAccount, Adaptation } from '../../src/contract/adaptation.ts'
import { type AccountCredential, CredentialFailure } from '../../src/contract/credential.ts'
import type { Provider } from '../../src/contract/provider.ts'
import { fillPath } from '../../src/kit/account-path.ts'
import { googleCredential } from './google.ts'

const part = z
  .string()
  .regex(/^[a-z0-9][a-z0-9.:-]{0,62}$/)
  .meta({ expected: 'small letters, digits and hyphens' })

const options = z.strictObject({
  project: part.optional(),
  location: part.regex(/^[a-z0-9-]+$/).default('global'),
  anthropicVersion: z.string().default('vertex-2023-10-16'),
})

/** Locations of several regions have hosts of their own. */
const multiRegional: ReadonlySet<string> = new Set(['us', 'eu'])

function hostOf(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com'
  if (multiRegional.has(location)) return `aiplatform.${location}.rep.googleapis.com`
  return `${location}-aiplatform.googleapis.com`
}

/** What stands before the publishers of models: nothing in the express mode, which has no project. */
function before(account: AdaptedAccount): string {
  const { project, location } = optionsOf(account, options)
  return project === undefined ? '' : `/projects/${project}/locations/${location}`
}

const geminiPath = /^\/v1\w*\/models\/(.+):(\w+)$/

/** Gemini, and endpoints of tuned models. The path of the dialect has the model encoded already. */
const gemini: Adaptation = {
  target({ path, query }, account) {
    if (/^\/v1\w*\/models$/.test(path)) return { path: '/v1beta1/publishers/google/models', query }
    const [, model = '', verb = ''] = geminiPath.exec(path) ?? []
    if (model === '') return undefined
    const [, endpoint] = /^(?:endpoints\/)?(\d+)$/.exec(model) ?? []
    const place = endpoint ? `/endpoints/${endpoint}` : `/publishers/google/models/${model}`
    return { path: `/v1beta1${before(account)}${place}:${verb}`, query }
  },
}

const operationPath = /^\/v1\w*\/(.+)\/operations\/[^/]+$/

/** Veo: a request for the state of an operation has its name in the body. */
const veo: Adaptation = {
  target(request, account) {
    const { path, query } = request
    if (path.endsWith(':predictLongRunning')) return gemini.target?.(request, account)
    const [, resource] = operationPath.exec(path) ?? []
    if (resource === undefined) return undefined
    const operationName = decodeURIComponent(path.replace(/^\/v1\w*\//, ''))
    return {
      method: 'POST',
      path: `/v1beta1/${resource}:fetchPredictOperation`,
      query,
      json: { operationName },
    }
  },
}

const claudePath = '/publishers/anthropic/models/'

/** Claude. The model is in the path, and the version of the API in the body. */
const claude: Adaptation = {
  target({ path, model, stream }, account) {
    const root = `/v1${before(account)}${claudePath}`
    if (path === '/v1/messages/count_tokens') return { path: `${root}count-tokens:rawPredict` }
    if (path !== '/v1/messages' || model === '') return undefined
    const verb = stream ? 'streamRawPredict' : 'rawPredict'
    return { path: `${root}${fillPath('{model}', { model })}:${verb}` }
  },
  body({ path }, account) {
    const { anthropicVersion } = optionsOf(account, options)
    const set = { anthropic_version: anthropicVersion }
    return path === '/v1/messages' ? { move: ['model'], set } : { set }
  },
  dropHeaders: ['anthropic-version'],
}

/** The endpoint that is compatible with OpenAI's, for models such as `google/gemini-2.5-pro`. */
const openApi: Adaptation = {
  target: ({ path, query }, account) =>
    path === '/v1/chat/completions'
      ? { path: `/v1${before(account)}/endpoints/openapi/chat/completions`, query }
      : undefined,
}

/** Models of OpenAI, whose Responses API stands beside the endpoint that is compatible with it. */
const openAi: Adaptation = {
  target: ({ path, query }, account) =>
    path === '/v1/responses'
      ? { path: `/v1${before(account)}/publishers/openai/v1/responses`, query }
      : undefined,
}

function isClaude(model: string): boolean {
  return model.startsWith('claude-')
}

function isOfPublisher(model: string): boolean {
  return model.includes('/') && !model.startsWith('endpoints/')
}

function isGoogles(model: string): boolean {
  return !isClaude(model) && !isOfPublisher(model)
}

/** An account of the store brings what it may use. */
const withoutCredential: AccountCredential = {
  headers: ['authorization'],
  authorize() {
    throw new CredentialFailure(
      'refused',
      'The account has no credential, and the identity of this machine is not for accounts of the store.',
      'give it a service account, or name the account in the file',
    )
  },
}

/** Models of Google Cloud: Gemini, Claude, and others by an endpoint that is compatible with OpenAI's. */
export const vertex: Provider = {
  keepsPath: true,
  mayLackKey: true,
  baseUrl: ({ location }) => `https://${hostOf(String(location))}`,
  base: 'bare',
  options,
  listsModels: false,
  settings: ['project', 'location', 'anthropicVersion'],
  credentials: ['googleAuth'],
  credential({ apiKey, googleAuth, isStored }) {
    if (apiKey !== undefined) return undefined
    // Without a credential of its own, the library would find the machine's.
    if (isStored && googleAuth?.json === undefined) return withoutCredential
    return googleCredential(googleAuth ?? {})
  },
  dialects: {
    generate: { adapt: gemini, serves: isGoogles },
    messages: { adapt: claude, serves: isClaude },
    chat: { adapt: openApi, serves: isOfPublisher },
    predict: { adapt: gemini, serves: isGoogles },
    responses: {
      adapt: openAi,
      onlyIfNamed: true,
      serves: (model) => !isClaude(model) && !model.startsWith('gemini-'),
    },
    'video-operations': { adapt: veo, serves: isGoogles },
  },
}
