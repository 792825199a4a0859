import { defined } from '../lib/json/object.ts'
import type { Flags } from '../configuration/overrides.ts'
import type { CommandOptions } from './command.ts'

/** The options that override the environment and the configuration. */
export function toFlags(options: CommandOptions): Flags {
  return defined({
    host: options['host'],
    port: options['port'],
    adminHost: options['admin-host'],
    adminPort: options['admin-port'],
    admin: options['admin'],
    store: options['store'],
    publicUrl: options['public-url'],
    logLevel: options['log-level'],
    logFormat: options['log-format'],
  })
}
