import { ConfigurationError, type Problem } from '../contract/problems.ts'
import type { Settings } from '../configuration/settings.ts'
import type { CommandOptions } from './command.ts'
import { isLoopbackHost } from './addresses.ts'
import { programName, sameGateway } from './hints.ts'

/**
 * Refuses to listen on an address that other machines can reach while no API key exists and no plugin
 * identifies callers. Throws `ConfigurationError`.
 */
export function assertKeyForPublicAddress(
  settings: Settings,
  usableKeys: number,
  options: CommandOptions,
): void {
  const problems = problemsOfPublicAddress(settings, usableKeys, options)
  if (problems.length > 0) throw new ConfigurationError(problems)
}

/** The problem for which `assertKeyForPublicAddress` refuses, if there is one. */
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

/** How to issue an API key for this gateway. `options` are those of the running command. */
export function issueKeyHint({ store }: Settings, options: CommandOptions): string {
  return store === 'memory:'
    ? 'add a key to keys in the configuration'
    : `issue an API key with \`${programName()} keys create${sameGateway(options)}\``
}

/** Whether a plugin of the configuration identifies callers by other means than API keys. */
export function hasAuthenticator({ plugins }: Settings): boolean {
  return plugins.some(({ onAuthenticate }) => onAuthenticate !== undefined)
}
