import { listKeys } from '../../stores/keys.ts'
import type { Invocation } from '../command.ts'
import type { CommandConfiguration } from '../command-configuration.ts'
import { programName, sameGateway } from '../hints.ts'
import { mayContainRecords, useStore } from '../use-store.ts'
import { limitOf } from '../print-list.ts'
import { isRemote } from '../remote/address.ts'
import { describeKey } from './describe.ts'
import { readForKeys } from './key-store.ts'
import { type ListedKey, keyTable } from './table.ts'

/** `dragoman keys list`. */
export async function run(invocation: Invocation): Promise<number> {
  if (isRemote(invocation)) return (await import('./remote.ts')).listKeys(invocation)
  const { terminal, options } = invocation
  const limit = limitOf(invocation)
  // In the order of a gateway's list.
  const keys = (await allKeys(await readForKeys(invocation))).toSorted(byId).slice(0, limit)
  if (options['json'] !== undefined) terminal.out(JSON.stringify(keys))
  else if (keys.length > 0) terminal.out(keyTable(keys).join('\n'))
  else {
    const command = `${programName()} keys create${sameGateway(options)}`
    terminal.say(`No API keys exist. \`${command}\` issues one.`)
  }
  return 0
}

function byId(one: ListedKey, other: ListedKey): number {
  return one.id < other.id ? -1 : 1
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
