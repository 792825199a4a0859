import { z } from 'zod'

import { optionsOf } from '../../src/contract/account.ts'
import type { AdaptedAccount, AdaptedRequest, Adaptation } from '../../src/contract/adaptation.ts'
import { type AccountCredential, CredentialFailure } from '../../src/contract/credential.ts'
import type { Provider } from '../../src/contract/provider.ts'
import { headerCredential } from '../../src/kit/token-credential.ts'
import { awsCredential } from './aws.ts'
import { invokedBody, invokedReply, invokedStreams, invokedTarget } from './invoke-model.ts'

const options = z.strictObject({
  region: z
    .string()
    .regex(/^[a-z]{2,8}(?:-[a-z]{1,12}){1,3}-\d{1,2}$/)
    .meta({ expected: 'a region of AWS, such as eu-central-1' }),
  guardrail: z.strictObject({ id: z.string(), version: z.string() }).optional(),
  anthropicVersion: z.string().optional(),
})

/** The address of a service in a region. China has a domain of its own. */
function addressOf(service: string, region: unknown): string {
  const domain = String(region).startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
  return `https://${service}.${String(region)}.${domain}`
}

/** Where models are called. */
const runtime = 'bedrock-runtime'

/** The list of models, which costs nothing, and which AWS refuses to wrong signatures and keys. */
const listPath = '/foundation-models'

const list = ({ path }: AdaptedRequest) =>
  path === listPath ? { path, query: undefined, atOwnRoot: true } : undefined

/** Where Anthropic's own API is. Signatures name it as a service of its own. */
const mantle = 'bedrock-mantle'
const anthropicRoot = '/anthropic'

function serviceOf(path: string): string {
  return path.includes(`${anthropicRoot}/v1/messages`) ? mantle : 'bedrock'
}

/** Only Converse takes a guardrail: no other request may pass one by. */
function isGuarded(account: AdaptedAccount): boolean {
  return optionsOf(account, options).guardrail !== undefined
}

const openAiPaths: ReadonlySet<string> = new Set(['/v1/chat/completions', '/v1/responses'])

/** OpenAI's API, whose root has the version. */
const ofOpenAi: Adaptation = {
  target(request, account) {
    const { path, query } = request
    if (isGuarded(account) || !openAiPaths.has(path)) return list(request)
    return { path: path.slice('/v1'.length), query }
  },
}

const usualVersion = 'bedrock-2023-05-31'

/** Names of models without a version and a region. Models of other names, such as profiles, have InvokeModel alone. */
const ofMantle = /^anthropic\.(?!.*-v\d+(?::\d+)?$)/

/** Whether a request for Claude goes to InvokeModel. */
function isInvoked(model: string, account: AdaptedAccount): boolean {
  return optionsOf(account, options).anthropicVersion !== undefined || !ofMantle.test(model)
}

/** Claude, at Anthropic's own API or by InvokeModel. */
const ofAnthropic: Adaptation = {
  target(request, account) {
    const { path, query, model } = request
    if (isGuarded(account) || !path.startsWith('/v1/messages')) return list(request)
    return isInvoked(model, account) ? invokedTarget(request, account) : { path, query }
  },
  body(request, account) {
    const { anthropicVersion = usualVersion } = optionsOf(account, options)
    return isInvoked(request.model, account)
      ? invokedBody(request, account, anthropicVersion)
      : undefined
  },
  streams: invokedStreams,
  reply: invokedReply,
}

/** Claude and its inference profiles, by id or ARN. Other ARNs do not say whose model it is. */
const claude = /^(?:arn:[^/]*\/)?(?:[a-z-]{2,6}\.)?anthropic\./

const openAi = {
  baseUrl: ({ region }: Readonly<Record<string, unknown>>) =>
    `${addressOf(runtime, region)}/openai/v1`,
  onlyIfNamed: true,
  serves: (model: string) => model.startsWith('openai.'),
  adapt: ofOpenAi,
}

/** An account of the store brings what it may use. */
const withoutCredential: AccountCredential = {
  headers: ['authorization'],
  authorize() {
    throw new CredentialFailure(
      'refused',
      'The account has no credential, and the identity of this machine is not for accounts of the store.',
      'give it a key of Bedrock, or aws with a secret access key, or name the account in the file',
    )
  },
}

/** A key of Bedrock, a bearer in each of its APIs. */
function keyCredential(key: string): AccountCredential {
  return { ...headerCredential('authorization', key, 'Bearer'), secrets: [key] }
}

/** Models of Amazon Bedrock by Converse, and, where `speaks` names them, by the APIs of OpenAI and of Anthropic. */
export const bedrock: Provider = {
  keepsPath: true,
  mayLackKey: true,
  options,
  settings: ['region', 'guardrail', 'anthropicVersion'],
  credentials: ['aws'],
  freeCall: ({ region }) => addressOf('bedrock', region) + listPath,
  credential({ apiKey, aws, options: { region }, isStored }) {
    const place = { region: String(region), serviceOf }
    if (apiKey !== undefined) return keyCredential(apiKey)
    if (isStored && aws?.secretAccessKey === undefined) return withoutCredential
    if (aws) return awsCredential(aws, place)
    const { AWS_BEARER_TOKEN_BEDROCK: token } = process.env
    return token ? keyCredential(token) : awsCredential({}, place)
  },
  dialects: {
    converse: { baseUrl: ({ region }) => addressOf(runtime, region) },
    responses: openAi,
    chat: openAi,
    messages: {
      baseUrl: ({ region }) => `https://${mantle}.${String(region)}.api.aws${anthropicRoot}`,
      onlyIfNamed: true,
      serves: (model, { anthropicVersion }) =>
        claude.test(model) || (anthropicVersion !== undefined && model.startsWith('arn:')),
      adapt: ofAnthropic,
    },
  },
}
