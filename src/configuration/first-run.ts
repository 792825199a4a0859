import { KeyConflict, createKey, getKey, listKeys } from '../stores/keys.ts'
import type { Store } from '../stores/store.ts'
import type { AccountConfig } from './config.generated.ts'
import type { Flags } from './overrides.ts'
import { resolveSettings } from './resolve.ts'
import type { EnvironmentVariables } from './secrets.ts'
import type { Settings } from './settings.ts'

/** The id of the API key that a first run issues. */
export const bootstrapKeyId = 'bootstrap'

/**
 * The settings without a configuration file: the sandbox at `sandboxUrl`, and one account for each
 * provider whose key is in the environment. Throws `ConfigurationError` for invalid flags.
 */
export function firstRunSettings({
  env,
  flags = {},
  sandboxUrl,
}: {
  env: EnvironmentVariables
  flags?: Flags
  sandboxUrl: string
}): Settings {
  const accounts = [sandboxAccount(sandboxUrl), ...providerAccounts(env)]
  return resolveSettings({ accounts }, { env, flags })
}

function sandboxAccount(baseUrl: string): AccountConfig {
  return {
    id: 'sandbox',
    provider: 'sandbox',
    baseUrl,
    apiKey: 'sandbox-key-a',
    models: [
      'sandbox/echo',
      'sandbox/tool',
      'sandbox/think',
      'sandbox/slow',
      'sandbox/flaky',
      'sandbox/whoami',
      'sandbox/*',
    ],
  }
}

/** The environment variables of the providers' own SDKs, and the models of each provider. */
export const providers = [
  {
    provider: 'openai',
    keys: ['OPENAI_API_KEY'],
    baseUrl: 'OPENAI_BASE_URL',
    models: ['gpt-*', 'chatgpt-*', 'codex-*', 'o1*', 'o3*', 'o4*'],
  },
  {
    provider: 'anthropic',
    keys: ['ANTHROPIC_API_KEY'],
    baseUrl: 'ANTHROPIC_BASE_URL',
    models: ['claude-*'],
  },
  {
    provider: 'gemini',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    baseUrl: 'GOOGLE_GEMINI_BASE_URL',
    models: ['gemini-*', 'gemma-*'],
  },
]

/** The same of providers with models of many vendors, which calls name behind the provider: `groq/MODEL`. */
const aggregators = [
  { provider: 'openrouter', keys: ['OPENROUTER_API_KEY'] },
  { provider: 'groq', keys: ['GROQ_API_KEY'] },
  { provider: 'mistral', keys: ['MISTRAL_API_KEY'] },
  { provider: 'deepseek', keys: ['DEEPSEEK_API_KEY'] },
  { provider: 'xai', keys: ['XAI_API_KEY'] },
  { provider: 'together', keys: ['TOGETHER_API_KEY'] },
  { provider: 'fireworks', keys: ['FIREWORKS_API_KEY'] },
  { provider: 'cerebras', keys: ['CEREBRAS_API_KEY'] },
  { provider: 'perplexity', keys: ['PERPLEXITY_API_KEY'] },
  { provider: 'cohere', keys: ['COHERE_API_KEY', 'CO_API_KEY'] },
  { provider: 'moonshot', keys: ['MOONSHOT_API_KEY'] },
  { provider: 'zai', keys: ['ZAI_API_KEY'] },
  { provider: 'qwen', keys: ['DASHSCOPE_API_KEY'] },
  { provider: 'minimax', keys: ['MINIMAX_API_KEY'] },
]

/** An account for each provider whose key is in the environment; its id is the provider's. */
export function providerAccounts(env: EnvironmentVariables): AccountConfig[] {
  const named = aggregators.map((one) => ({
    ...one,
    baseUrl: '',
    models: { [`${one.provider}/*`]: '*' },
  }))
  return [...providers, ...named].flatMap(({ provider, keys, baseUrl, models }) => {
    const name = keys.find((variable) => isProviderKey(env[variable]))
    if (name === undefined) return []
    const url = env[baseUrl]
    // The key may be for the configured address only, so the default address must not receive it.
    return [{ id: provider, provider, apiKey: `env:${name}`, models, ...(url && { baseUrl: url }) }]
  })
}

// In the shell of a gateway's client, these variables have the gateway's own key and address. An
// account made from them would make the gateway call itself endlessly.
function isProviderKey(key: string | undefined): boolean {
  return key !== undefined && key !== '' && !key.startsWith('dgm_')
}

/** The state of the first key. `created` has its secret, which is shown only once. */
export type Bootstrap =
  | { state: 'created'; secret: string }
  | { state: 'exists' | 'revoked' | 'not needed' }

/** Issues the key `bootstrap` if the store has no key. Rejects with `StoreUnavailable`. */
export async function ensureBootstrapKey(
  store: Store,
  record: <Result>(create: () => Promise<Result>) => Promise<Result> = (create) => create(),
): Promise<Bootstrap> {
  const present = await getKey(store, bootstrapKeyId)
  if (present) return { state: present.disabled ? 'revoked' : 'exists' }
  if ((await listKeys(store)).length > 0) return { state: 'not needed' }
  try {
    const key = { id: bootstrapKeyId, createdBy: 'process:gateway' }
    const { secret } = await record(() => createKey(store, key))
    return { state: 'created', secret }
  } catch (error) {
    // Another process created the key in the meantime.
    if (error instanceof KeyConflict) return { state: 'exists' }
    throw error
  }
}
