import { messages } from '../anthropic/messages.ts'
import { anthropic } from '../anthropic/provider.ts'
import { isSigned } from '../clouds/signature.ts'
import { chatCompletions } from '../openai/chat/completions.ts'
import { openai } from '../openai/provider.ts'
import { createResponse } from '../openai/responses/create.ts'
import type { Endpoint, Provider } from '../provider.ts'

const requestIdHeader = 'x-amzn-requestid'

const ofOpenAi: Provider = {
  ...openai,
  signedFor: 'bedrock',
  requestIdHeader,
  replyHeaders: () => ({}),
}

const ofAnthropic: Provider = {
  ...anthropic,
  signedFor: 'bedrock-mantle',
  requestIdHeader,
  replyHeaders: () => ({}),
}

/** The same endpoint below another path. Azure has the same paths, and no signatures. */
function signedAt(endpoint: Endpoint, provider: Provider, prefix: string): Endpoint {
  const path = new RegExp(endpoint.path.source.replace('^', `^${prefix}`))
  return { ...endpoint, provider, path, applies: (headers) => isSigned({ headers }) }
}

/** The APIs of OpenAI and of Anthropic at Amazon Bedrock, for requests that AWS has signed. */
export const bedrockVendors: Endpoint[] = [
  ...[chatCompletions, createResponse].map((one) => signedAt(one, ofOpenAi, '\\/openai')),
  ...messages.map((one) => signedAt(one, ofAnthropic, '\\/anthropic')),
]
