import type { Problem } from '../contract/problems.ts'
import type { Settings } from '../configuration/settings.ts'
import type { CommandOptions } from './command.ts'
import { isLoopbackHost } from '../lib/hosts.ts'
import { programName, sameGateway } from './hints.ts'

/**
 * The problem of an API address that other machines can reach while no API key exists and no plugin identifies
 * callers.
 */
export function problemsOfPublicAddress(
  settings: Settings,
  usableKeys: number,
  options: CommandOptions,
): Problem[] {
  const { listen } = settings
  if (usableKeys > 0 || hasAuthenticator(settings) || isLoopbackHost(listen.host)) return []
  return [
    {
      path: 'listen.host',
      message: `is ${listen.host}, which other machines can reach, but no API key exists`,
      fix: `${issueKeyHint(settings, options)}, or listen on 127.0.0.1`,
    },
  ]
}

/** How to issue an API key for this gateway. `options`: the options of the running command. */
export function issueKeyHint({ store }: Settings, options: CommandOptions): string {
  return store === 'memory:'
    ? 'add a key to keys in the configuration'
    : `issue an API key with \`${programName()} keys create${sameGateway(options)}\``
}

/** Whether a plugin of the configuration identifies callers by other means than API keys. */
export function hasAuthenticator({ plugins }: Settings): boolean {
  return plugins.some(({ onAuthenticate }) => onAuthenticate !== undefined)
}

/**
 * The problem of an admin address that other machines can reach while no admin token exists. A token that has expired
 * counts: its end must not prevent the restart of a gateway that serves clients.
 */
export function problemsOfPublicAdmin(
  { admin, adminTokens = [], store }: Settings,
  stored: readonly { readonly state: string }[],
  options: CommandOptions,
): Problem[] {
  if (!admin || isLoopbackHost(admin.host) || adminTokens.length > 0) return []
  if (stored.some(({ state }) => state === 'ACTIVE' || state === 'EXPIRED')) return []
  return [
    {
      path: 'admin.host',
      message: `is ${admin.host}, which other machines can reach, but no admin token exists`,
      fix: `${createTokenHint(store, options)}, or listen on 127.0.0.1`,
    },
  ]
}

/** How to create an admin token for this gateway. */
export function createTokenHint(store: string, options: CommandOptions): string {
  return store === 'memory:'
    ? 'set DRAGOMAN_ADMIN_TOKEN, or add a token to admin.tokens in the configuration'
    : `set DRAGOMAN_ADMIN_TOKEN, or create a token with \`${programName()} admin-tokens create${sameGateway(options)}\``
}
