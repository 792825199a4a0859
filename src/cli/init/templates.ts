import type { AccountConfig } from '../../configuration/config.generated.ts'
import { providerAccounts, providers } from '../../configuration/first-run.ts'
import type { EnvironmentVariables } from '../../configuration/secrets.ts'

/** An account of a new configuration. */
interface SuggestedAccount {
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
  const others = [...usable.values()].filter(
    ({ id }) => !providers.some(({ provider }) => provider === id),
  )
  return [
    ...ofProviders,
    ...others.map((account) => ({ account, isUsable: true })),
    { account: localServer, isUsable: false },
  ]
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

/** A new `dragoman.config.ts`. */
export function typeScriptOf(accounts: readonly SuggestedAccount[]): string {
  const lines = accounts.map(
    ({ account, isUsable }) => `    ${isUsable ? '' : '// '}{ ${membersOf(account)} },`,
  )
  return `import { defineConfig } from 'dragoman'

// \`dragoman config print\` shows all settings in effect, \`dragoman check\` every problem.
export default defineConfig({
  // Keys of clients are in the store: \`dragoman keys create team-a\`.
  accounts: [
    // Each account reads its credential from a variable (env:NAME) or a file (file:/path).
${lines.join('\n')}
  ],
  // Further names of models.
  aliases: {
    // fast: 'gpt-4.1-mini',
  },
})
`
}

function membersOf(account: AccountConfig): string {
  return Object.entries(account)
    .map(([name, value]) => `${name}: ${quoted(value)}`)
    .join(', ')
}

/** A text or a list of texts, in the quotes of the other examples. */
function quoted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(quoted).join(', ')}]`
  const json = JSON.stringify(value)
  return /['"\\]/.test(json.slice(1, -1)) ? json : `'${json.slice(1, -1)}'`
}

/** A new `dragoman.config.yaml`. `schema`: the path of the JSON Schema, for editors. */
export function yamlOf(accounts: readonly SuggestedAccount[], schema: string): string {
  const hasUsable = accounts.some(({ isUsable }) => isUsable)
  const entries = accounts.flatMap(({ account, isUsable }) =>
    // JSON is YAML, and quotes what YAML would read as an alias.
    Object.entries(account).map(
      ([name, value], index) =>
        `${isUsable ? '' : '# '}  ${index === 0 ? '-' : ' '} ${name}: ${JSON.stringify(value)}`,
    ),
  )
  return `# yaml-language-server: $schema=${schema}
# \`dragoman config print\` shows all settings in effect, \`dragoman check\` every problem.
# Keys of clients are in the store: \`dragoman keys create team-a\`.

# Each account reads its credential from a variable (env:NAME) or a file (file:/path).
${hasUsable ? 'accounts:' : 'accounts: [] # remove the brackets with the first account'}
${entries.join('\n')}

# Further names of models.
aliases: {}
`
}

/** A new `.env.example`, which has names and no values. */
export function environmentOf(accounts: readonly SuggestedAccount[]): string {
  const names = accounts.flatMap(({ account: { apiKey } }) =>
    apiKey?.startsWith('env:') ? [apiKey.slice('env:'.length)] : [],
  )
  return `# Copy this file to .env, fill it in, and keep .env out of version control. To load it into a shell:
#   set -a; . ./.env; set +a

# The credentials of the accounts.
${names.map((name) => `${name}=`).join('\n')}

# A token of the admin API, of 32 characters or more: openssl rand -base64 32
DRAGOMAN_ADMIN_TOKEN=

# The key that seals the secrets of the store, of 32 characters or more. Several replicas need the same.
DRAGOMAN_SECRET_KEY=

# The store. Replicas share a Redis: redis://HOST:6379
DRAGOMAN_STORE=

# The address at which clients reach the gateway, if that is another than the one it listens on.
DRAGOMAN_PUBLIC_URL=
`
}
