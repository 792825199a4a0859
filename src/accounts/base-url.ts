import type { Account } from '../contract/account.ts'
import type { Upstream } from '../contract/dialect-info.ts'

const version = /^\/v\d+[a-z0-9]*(?=\/)/
const trailingVersion = /\/v\d+[a-z0-9]*$/

/**
 * Where an operation stands on an account. Operation paths are written in full (`/v1/messages`);
 * base URLs are written as each provider's own SDK takes them, with the version (`.../v1`) or bare.
 */
export function pathOnAccount(account: Account, upstream: Upstream, fullPath: string): string {
  if (account.base === 'bare') return account.basePath + fullPath
  if (upstream.base === 'versioned') return account.basePath + fullPath.replace(version, '')
  return account.basePath.replace(trailingVersion, '') + fullPath
}
