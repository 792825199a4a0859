import { GatewayError } from '../contract/errors.ts'
import type { Caller } from '../contract/request.ts'
import { type FileName, type Storage, isStorageName } from '../contract/storage.ts'
import { unknownFile } from './failures.ts'
import { isPath, pathOwnerOf } from './paths.ts'

/** A file and where it lies. */
export interface LocatedFile {
  readonly storage: Storage
  readonly file: FileName
}

/** All storages, by name. */
export interface StorageRegistry {
  readonly names: readonly string[]
  /** Throws `GatewayError` 400 for a name that nobody has. */
  storage(name: string): Storage
  /** Whether a text is a path to one of them. */
  owns(path: string): boolean
  /** The file that a path names. Throws 404 for what is no caller's own, as for what is nowhere. */
  find(path: string, caller: Caller): LocatedFile
}

/** Throws a `TypeError` for storages that paths could not tell apart from others, or from URLs. */
export function createStorageRegistry(storages: readonly Storage[]): StorageRegistry {
  const byName = new Map<string, Storage>()
  for (const storage of storages) {
    const { name } = storage
    if (!isStorageName(name)) throw new TypeError(`"${name}" is no name for a storage.`)
    if (byName.has(name)) throw new TypeError(`There are two storages called "${name}".`)
    byName.set(name, storage)
  }
  const names = [...byName.keys()]
  const storageOf = (path: string) => byName.get(/^([a-z][a-z\d-]*):\/\//.exec(path)?.[1] ?? '')

  return {
    names,
    storage: (name) => byName.get(name) ?? unknownStorage(name, names),
    owns: (path) => storageOf(path) !== undefined,
    find(path, caller) {
      const storage = storageOf(path) ?? notOurs(names)
      const owner = pathOwnerOf(caller.keyId)
      const location = path.slice(storage.name.length + '://'.length)
      for (const place of storage.places) {
        const root = `${place.root}${owner}/`
        const inside = location.slice(root.length)
        if (location.startsWith(root) && isPath(inside)) {
          return { storage, file: { place, owner, path: inside } }
        }
      }
      throw unknownFile()
    },
  }
}

function unknownStorage(name: string, names: readonly string[]): never {
  if (names.length === 0)
    throw new GatewayError('invalid_request', 'This gateway takes no uploads.')
  throw new GatewayError(
    'invalid_value',
    `There is no storage called \`${name.slice(0, 64)}\` here: use ${names.join(', ')}.`,
    { param: 'storage_provider' },
  )
}

function notOurs(names: readonly string[]): never {
  const forms = names.map((name) => `\`${name}://\``).join(', ')
  throw new GatewayError('invalid_value', `Paths of uploaded files begin with ${forms}.`)
}
