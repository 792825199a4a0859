import { GatewayError } from '../contract/errors.ts'
import type { Caller } from '../contract/request.ts'
import { type FileName, type Storage, isStorageName } from '../contract/storage.ts'
import { unknownFile } from './failures.ts'
import { isPath, pathOwnerOf } from './paths.ts'

/** A file and its storage. */
interface LocatedFile {
  readonly storage: Storage
  readonly file: FileName
}

/** All storages of the gateway, by name. */
export interface StorageRegistry {
  readonly names: readonly string[]
  /** The storage of this name. Throws `GatewayError` 400 for an unknown name. */
  storage(name: string): Storage
  /** Whether a text is a path into one of the storages. */
  owns(path: string): boolean
  /**
   * The file that a path names. Throws `GatewayError` 404 for a path of another caller or of no
   * storage place, 400 for an unknown storage.
   */
  find(path: string, caller: Caller): LocatedFile
}

/** Creates the registry. Throws `TypeError` for invalid and duplicate names of storages. */
export function createStorageRegistry(storages: readonly Storage[]): StorageRegistry {
  const byName = new Map<string, Storage>()
  for (const storage of storages) {
    const { name } = storage
    if (!isStorageName(name)) throw new TypeError(`"${name}" is not a valid name for a storage.`)
    if (byName.has(name)) throw new TypeError(`Two storages have the name "${name}".`)
    byName.set(name, storage)
  }
  const names = [...byName.keys()]
  const storageOf = (path: string) => byName.get(/^([a-z][a-z\d-]*):\/\//.exec(path)?.[1] ?? '')

  return {
    names,
    storage: (name) => byName.get(name) ?? unknownStorage(name, names),
    owns: (path) => storageOf(path) !== undefined,
    find(path, caller) {
      const storage = storageOf(path) ?? unknownScheme(names)
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
    throw new GatewayError('invalid_request', 'This gateway does not accept uploads.')
  throw new GatewayError(
    'invalid_value',
    `Unknown storage \`${name.slice(0, 64)}\`: use ${names.join(', ')}.`,
    { param: 'storage_provider' },
  )
}

function unknownScheme(names: readonly string[]): never {
  const forms = names.map((name) => `\`${name}://\``).join(', ')
  throw new GatewayError('invalid_value', `Paths of uploaded files begin with ${forms}.`)
}
