import { repeatedIds } from './check-ids.ts'
import type { Problem } from './problems.ts'
import { configSchema } from './schema.ts'
import type { Environment } from './secrets.ts'
import { resolveSecret } from './secrets.ts'
import type { AccountSetting } from './settings.ts'
import { checkShape } from './shape.ts'

const accountSchema = configSchema.shape.accounts.unwrap().element

/** An account that is in order, and where it stands in the configuration. */
export interface CheckedAccount {
  path: string
  setting: AccountSetting
}

/** The accounts that are in order; what is wrong with the others is added to `problems`. */
export function checkAccounts(
  list: readonly unknown[],
  environment: Environment,
  problems: Problem[],
): CheckedAccount[] {
  problems.push(...repeatedIds('accounts', list))
  return list.flatMap((value, index) => {
    const path = `accounts[${index}]`
    const input = checkShape(accountSchema, value, path, problems)
    const apiKey = checkApiKey(value, path, environment, problems)
    if (!input) return []
    const { baseUrl, speaks, weight = 1, priority = 0, enabled = true } = input
    const setting = {
      id: input.id,
      provider: input.provider,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKey !== undefined && { apiKey }),
      ...(speaks && { speaks }),
      models: input.models,
      weight,
      priority,
      enabled,
    }
    return [{ path, setting }]
  })
}

// Looked at whether or not the rest of the account is in order, so that one run tells all.
function checkApiKey(
  account: unknown,
  path: string,
  environment: Environment,
  problems: Problem[],
): string | undefined {
  if (typeof account !== 'object' || account === null || !('apiKey' in account)) return undefined
  const { apiKey } = account
  if (apiKey === undefined) problems.push(undefinedKey(path))
  if (typeof apiKey !== 'string' || apiKey === '') return undefined
  return resolveSecret(apiKey, `${path}.apiKey`, environment, problems)
}

/** What `apiKey: process.env.NAME` comes to when the variable is not set. */
function undefinedKey(path: string): Problem {
  return {
    path: `${path}.apiKey`,
    message: 'is undefined, perhaps from an environment variable that is not set',
    fix: 'write apiKey: "env:NAME", or leave it out for an account without a key',
  }
}
