import type { PluginRecords, StartInput } from '../contract/plugin-start.ts'
import type { Store } from '../stores/store.ts'

/**
 * Gives a plugin records of its own: its name is a part of their namespaces. Only small letters stand in
 * them, because the tables of a file store have names without case.
 */
export function recordsOfPlugin(
  store: Pick<Store, 'records'>,
  plugin: string,
): StartInput['records'] {
  const prefix = storePrefixOf(plugin)
  return <T>(namespace: string, options?: { readonly listed?: boolean }): PluginRecords<T> => {
    if (!/^[a-z0-9._-]{1,64}$/.test(namespace)) {
      throw new TypeError(
        'A namespace has 1 to 64 small letters, digits, dots, hyphens or underscores.',
      )
    }
    return store.records<T>(`${prefix}:${namespace}`, options)
  }
}

/** The beginning of the namespaces of a plugin; no namespace of another plugin begins with it. */
export function storePrefixOf(plugin: string): string {
  return `plugin:${encode(plugin)}`
}

/** Different names have different texts, which contain no colon. */
function encode(name: string): string {
  return [...Buffer.from(name)]
    .map((byte) => {
      const letter = String.fromCharCode(byte)
      return /[a-z0-9._-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0')}`
    })
    .join('')
}
