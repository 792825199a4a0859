import type { Files } from '../files.ts'
import { urlLifetimeMs } from './lifetime.ts'
import type { Shelf } from './shelf.ts'

/** The files of all storages, each for the key that has uploaded it. */
export function createFiles(shelf: Shelf, now: () => number): Files {
  return {
    owns: (path) => shelf.owns(path),
    async open(path, caller) {
      const { storage, file } = shelf.find(path, caller)
      return storage.open(file)
    },
    async urlFor(path, caller) {
      const { storage, file } = shelf.find(path, caller)
      return storage.isPublic ? storage.visit(file, now() + urlLifetimeMs) : undefined
    },
  }
}
