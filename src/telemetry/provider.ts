import type { Account } from '../contract/account.ts'
import { computedOnce } from '../lib/computed-once.ts'

/** Who serves a host, by its name or the end of it. */
const hosts: readonly (readonly [RegExp, string])[] = [
  [/^api\.openai\.com$/, 'openai'],
  [/\.api\.openai\.com$/, 'openai'],
  [/\.openai\.azure\.(?:com|us|cn)$/, 'azure.ai.openai'],
  [/\.cognitiveservices\.azure\.(?:com|us|cn)$/, 'azure.ai.openai'],
  [/(?:\.services|\.inference|^models\.inference)\.ai\.azure\.com$/, 'azure.ai.inference'],
  [/^api\.anthropic\.com$/, 'anthropic'],
  [/^generativelanguage\.googleapis\.com$/, 'gcp.gemini'],
  [/(?:^|[.-])aiplatform\.(?:\w+\.rep\.)?googleapis\.com$/, 'gcp.vertex_ai'],
  [/\.googleapis\.com$/, 'gcp.gen_ai'],
  [/^bedrock[\w-]*\.[\w.-]+\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/, 'aws.bedrock'],
  [/^api\.mistral\.ai$/, 'mistral_ai'],
  [/(?:^|\.)api\.x\.ai$/, 'x_ai'],
  [/^api\.groq\.com$/, 'groq'],
  [/^api\.deepseek\.com$/, 'deepseek'],
  [/^api\.cohere\.(?:ai|com)$/, 'cohere'],
  [/^api\.perplexity\.ai$/, 'perplexity'],
  [/\.ml\.cloud\.ibm\.com$/, 'ibm.watsonx.ai'],
  [/^api\.moonshot\.(?:ai|cn)$/, 'moonshot_ai'],
]

/** Providers of accounts that have another name in the conventions. */
const presets: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  vertex: 'gcp.vertex_ai',
  xai: 'x_ai',
}

/**
 * The value of `gen_ai.provider.name` for an account: by the host that it is at, otherwise by its
 * `provider`, which the configuration names. Cheap to ask again.
 */
export const providerNameOf = computedOnce(({ origin, provider }: Account): string => {
  const host = URL.parse(origin)?.hostname ?? ''
  const [, name] = hosts.find(([pattern]) => pattern.test(host)) ?? []
  return name ?? presets[provider] ?? provider
})
