import { KeyConflict, createKey, getKey, listKeys } from '../stores/keys.ts'
import type { Store } from '../stores/store.ts'
import type { AccountConfig } from './config.ts'
import type { Flags } from './endpoints.ts'
import { resolveSettings } from './resolve.ts'
import type { EnvironmentVariables } from './secrets.ts'
import type { Settings } from './settings.ts'

export const bootstrapKeyId = 'bootstrap'

/**
 * What holds where there is no configuration at all: the sandbox at `sandboxUrl`, and one account
 * for each provider whose key is in the environment. Throws `ConfigurationError` for wrong flags.
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

/** Keys and addresses under the names that the providers' own SDKs read. */
const providers = [
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

function providerAccounts(env: EnvironmentVariables): AccountConfig[] {
  return providers.flatMap(({ provider, keys, baseUrl, models }) => {
    const name = keys.find((variable) => isProviderKey(env[variable]))
    if (name === undefined) return []
    const url = env[baseUrl]
    // A key goes to the address that it was set up with, and to no other.
    return [{ id: provider, provider, apiKey: `env:${name}`, models, ...(url && { baseUrl: url }) }]
  })
}

// A shell that is set up to use a gateway holds the gateway's key and address under these names; an
// account made of them would call itself without end.
function isProviderKey(key: string | undefined): boolean {
  return key !== undefined && key !== '' && !key.startsWith('dgm_')
}

/** How the first key stands. `created` carries its secret, which is shown this once. */
export type Bootstrap =
  | { state: 'created'; secret: string }
  | { state: 'exists' | 'revoked' | 'not needed' }

/** Issues the key `bootstrap` where the store holds no key yet. Rejects with `StoreUnavailable`. */
export async function ensureBootstrapKey(store: Store): Promise<Bootstrap> {
  const present = await getKey(store, bootstrapKeyId)
  if (present) return { state: present.disabled ? 'revoked' : 'exists' }
  if ((await listKeys(store)).length > 0) return { state: 'not needed' }
  try {
    const { secret } = await createKey(store, { id: bootstrapKeyId })
    return { state: 'created', secret }
  } catch (error) {
    // Another process made it in between.
    if (error instanceof KeyConflict) return { state: 'exists' }
    throw error
  }
}
