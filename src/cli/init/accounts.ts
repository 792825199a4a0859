import type { AccountConfig } from '../../configuration/config.generated.ts'
import { providerAccounts, providers } from '../../configuration/first-run.ts'
import type { EnvironmentVariables } from '../../configuration/secrets.ts'

/** An account of a new configuration. */
export interface SuggestedAccount {
  readonly account: AccountConfig
  /** False: written as a comment, since the configuration would not be valid with it here. */
  readonly isUsable: boolean
}

/** The accounts that a new configuration suggests: usable are those whose keys are in the environment. */
export function suggestAccounts(env: EnvironmentVariables): SuggestedAccount[] {
  const usable = new Map(
    providerAccounts(env)
      .filter(({ baseUrl }) => baseUrl === undefined || isPlain(baseUrl))
      .map((account) => [account.id, account]),
  )
  const ofProviders = providers.map(({ provider, keys: [key], models }) => {
    const account = usable.get(provider)
    if (account) return { account, isUsable: true }
    const suggestion = { id: provider, provider, apiKey: `env:${key}`, models }
    return { account: suggestion, isUsable: false }
  })
  return [...ofProviders, { account: localServer, isUsable: false }]
}

const localServer: AccountConfig = {
  id: 'local',
  provider: 'openai-compatible',
  baseUrl: 'http://127.0.0.1:11434/v1',
  models: ['llama*'],
}

/** The address of an account has neither credentials nor a query. */
function isPlain(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && `${url.username}${url.password}${url.search}${url.hash}` === ''
}
