import { ConfigurationError } from '../contract/problems.ts'
import type { Settings } from '../configuration/settings.ts'
import type { CommandOptions } from './command.ts'
import { isOfThisMachine } from './addresses.ts'
import { programName, sameGateway } from './hints.ts'

/**
 * An address that others can reach wants a key first: a gateway without any is one that nobody has
 * set up yet. Throws `ConfigurationError`.
 */
export function assertGuarded(
  settings: Settings,
  usableKeys: number,
  options: CommandOptions,
): void {
  const { listen } = settings
  if (usableKeys > 0 || knowsOtherCallers(settings) || isOfThisMachine(listen.host)) return
  throw new ConfigurationError([
    {
      path: 'listen.host',
      message: `is ${listen.host}, which other machines can reach, but there is no API key yet`,
      fix: `${howToIssueKey(settings, options)}, or listen on 127.0.0.1`,
    },
  ])
}

/** Whether a plugin of the configuration knows callers by other means than API keys. */
export function knowsOtherCallers({ plugins }: Settings): boolean {
  return plugins.some(({ onAuthenticate }) => onAuthenticate !== undefined)
}

/** What to do where there is no key, for who typed these options. */
export function howToIssueKey({ store }: Settings, options: CommandOptions): string {
  return store === 'memory:'
    ? 'put a key under keys in the configuration'
    : `issue an API key with \`${programName()} keys create${sameGateway(options)}\``
}
