import type { Account } from '../contract/account.ts'
import type { AnyDialect } from '../contract/dialect.ts'
import type { Problem } from '../contract/problems.ts'
import { noRequest } from '../kit/no-request.ts'

/** The headers of an account that would replace one in which its dialects send its credential. */
export function replacedCredentials(
  account: Account,
  path: string,
  dialects: readonly AnyDialect[],
): Problem[] {
  const { headers, credential, authorizer } = account
  if (!headers || (!credential && !authorizer)) return []
  const spoken = credential ? dialects.filter(({ id }) => account.speaks.includes(id)) : []
  const carriers = new Set([
    ...(authorizer?.headers ?? []),
    ...spoken.flatMap((dialect) => carriersIn(dialect, account, credential ?? '')),
  ])
  return Object.keys(headers)
    .filter((name) => carriers.has(name))
    .map((name) => ({
      path: `${path}.headers.${name}`,
      message: `would replace the header with the ${credential ? 'apiKey' : 'credential'}`,
      fix: `remove the header, or the ${credential ? 'apiKey' : 'credential'}`,
    }))
}

const usualCarriers = ['authorization', 'x-api-key', 'x-goog-api-key']

function carriersIn({ upstream }: AnyDialect, account: Account, credential: string): string[] {
  try {
    return Object.entries(upstream?.headers(account, noRequest()) ?? {})
      .filter(([, value]) => value.includes(credential))
      .map(([name]) => name.toLowerCase())
  } catch {
    // A dialect of a plugin may need a whole request.
    return usualCarriers
  }
}
