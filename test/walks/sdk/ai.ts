import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModel } from 'ai'

import type { Walk } from './walk.ts'

/** One provider of the AI SDK in one of its dialects. */
export interface AiProvider {
  readonly name: string
  /** Events of the sandbox that announce an answer and say nothing of it yet. */
  readonly announcements: number
  model({ gateway }: Walk, id: string, apiKey?: string): LanguageModel
}

export const aiProviders: AiProvider[] = [
  {
    name: '@ai-sdk/openai, responses',
    announcements: 2,
    model: ({ gateway }, id, apiKey = gateway.key) =>
      createOpenAI({ apiKey, baseURL: `${gateway.url}/v1` }).responses(id),
  },
  {
    name: '@ai-sdk/openai, chat',
    announcements: 1,
    model: ({ gateway }, id, apiKey = gateway.key) =>
      createOpenAI({ apiKey, baseURL: `${gateway.url}/v1` }).chat(id),
  },
  {
    name: '@ai-sdk/anthropic',
    announcements: 2,
    model: ({ gateway }, id, apiKey = gateway.key) =>
      createAnthropic({ apiKey, baseURL: `${gateway.url}/v1` })(id),
  },
  {
    name: '@ai-sdk/google',
    announcements: 0,
    model: ({ gateway }, id, apiKey = gateway.key) =>
      createGoogle({ apiKey, baseURL: `${gateway.url}/v1beta` })(id),
  },
  {
    name: '@ai-sdk/google, model with its prefix',
    announcements: 0,
    model: ({ gateway }, id, apiKey = gateway.key) =>
      createGoogle({ apiKey, baseURL: `${gateway.url}/v1beta` })(`models/${id}`),
  },
]

/** What every call gets: no second try by the SDK, and no warning that a bound is missing. */
export const once = { maxRetries: 0, maxOutputTokens: 2000 }
