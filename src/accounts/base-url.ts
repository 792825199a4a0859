import type { Account } from '../contract/account.ts'
import type { Upstream } from '../contract/dialect-info.ts'
import { checkedPath } from '../kit/account-path.ts'

const version = /^\/v\d+[a-z0-9]*(?=\/)/
const trailingVersion = /\/v\d+[a-z0-9]*$/

/**
 * Returns the path of an operation at an account. Operation paths contain the version (`/v1/messages`);
 * base URLs contain it (`.../v1`) or not, as the provider's own SDK expects. Throws as `checkedPath` does.
 */
export function pathOnAccount(account: Account, upstream: Upstream, path: string): string {
  const fullPath = checkedPath(path, upstream)
  if (account.base === 'bare') return account.basePath + fullPath
  if (upstream.base === 'versioned') return account.basePath + fullPath.replace(version, '')
  return account.basePath.replace(trailingVersion, '') + fullPath
}
