import type { Files } from '../contract/files.ts'
import { urlLifetimeMs } from './settings.ts'
import type { StorageRegistry } from './registry.ts'

/** The files of all storages, each for the key that has uploaded it. */
export function createFiles(shelf: StorageRegistry, now: () => number): Files {
  return {
    schemes: shelf.names,
    owns: (path) => shelf.owns(path),
    async open(path, caller) {
      const { storage, file } = shelf.find(path, caller)
      const opened = await storage.open(file)
      // Whoever reads it hears of it too. A stream that is destroyed unread may fail for nobody.
      opened.stream.on('error', () => {})
      return opened
    },
    async urlFor(path, caller) {
      const { storage, file } = shelf.find(path, caller)
      return storage.isPublic ? storage.visit(file, now() + urlLifetimeMs) : undefined
    },
  }
}
