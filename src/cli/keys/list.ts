import { listKeys } from '../../stores/keys.ts'
import type { Invocation } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { programName, sameGateway } from '../hints.ts'
import { alignColumns } from '../table.ts'
import { mayContainRecords, useStore } from '../use-store.ts'
import { type KeyDescription, describeKey } from './describe.ts'
import { readForKeys } from './key-store.ts'

/** A key and its origin. */
export type ListedKey = KeyDescription & { from: 'store' | 'configuration' }

/** `dragoman keys list`. */
export async function run(invocation: Invocation): Promise<number> {
  const { terminal, options } = invocation
  const keys = await allKeys(await readForKeys(invocation))
  if (options['json'] !== undefined) terminal.out(JSON.stringify(keys))
  else if (keys.length > 0) terminal.out(keyTable(keys).join('\n'))
  else {
    const command = `${programName()} keys create${sameGateway(options)}`
    terminal.say(`No API keys exist. \`${command}\` issues one.`)
  }
  return 0
}

/** The keys of the configuration and the store. Does not create a missing store. */
export async function allKeys(configuration: CommandConfiguration): Promise<ListedKey[]> {
  const stored = mayContainRecords(configuration) ? await useStore(configuration, listKeys) : []
  return [
    ...configuredKeys(configuration),
    ...stored.map((key) => ({ ...describeKey(key), from: 'store' as const })),
  ]
}

/** The keys of the configuration. */
export function configuredKeys({ settings }: CommandConfiguration): ListedKey[] {
  return settings.keys.map((key) => ({ ...describeKey(key), from: 'configuration' as const }))
}

const titles = ['ID', 'STATE', 'MODELS', 'EXPIRES', 'CREATED', 'FROM', 'LOSSES', 'EXPLAIN']

/** Formats keys as the lines of a table. */
export function keyTable(keys: readonly ListedKey[]): string[] {
  return alignColumns([titles, ...keys.map((key) => keyRow(key))])
}

function keyRow(key: ListedKey): string[] {
  const { id, state, models, explain, losses = '', expires = 'never', created = '', from } = key
  return [
    id,
    state,
    models?.join(',') ?? 'all',
    expires,
    created,
    from,
    losses,
    explain ? 'yes' : '',
  ]
}
